"""Measure an ordinary conversation: live lives through the product, then ask and order."""
