"""Whom a text is about, whether two are about different people, and who somebody is said to be."""

import pytest

from app.memory.text.whom import PERSON, introducing, of_another, whom


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("I drive a Skoda", {PERSON}),
        ("You drive a Skoda", {PERSON}),
        ("My older brother, Tom, drives a Skoda", {"brother", "tom"}),
        ("Your brother’s name is Ysbrand", {"brother", "ysbrand"}),
        ("Ysbrand is my brother", {"brother", "ysbrand"}),
        ("Tom drives a Skoda", {"tom"}),
        ("My brother gave me a Skoda", {"brother", PERSON}),
        ("The Skoda needs new tyres", set()),
    ],
)
def test_whom_a_text_is_about(text, about):
    assert whom(text) == about


@pytest.mark.parametrize(
    ("one", "other", "another"),
    [
        ("My brother Tom drives a Skoda too", "I drive a 2015 Skoda Octavia", True),
        ("Your mum is allergic to walnuts", "My sister is allergic to walnuts", True),
        ("Your mum is allergic to walnuts", "My mother cannot have walnuts", False),
        ("Your sister Bravol is a nurse", "I am having lunch with Bravol", False),
        ("You drive a Skoda", "The Skoda is in the garage", False),
        ("You are allergic to walnuts", "The doctor says walnuts could kill me", False),
    ],
)
def test_what_is_plainly_about_different_people(one, other, another):
    assert of_another(one, other) == of_another(other, one) == another


@pytest.mark.parametrize(
    ("text", "before", "kept", "introduced"),
    [
        ("Graham's staying on", "My boss Graham retires", "", "[My boss] Graham's staying on"),
        ("It seems Ana moved", "My sister Ana is here", "", "It seems [my sister] Ana moved"),
        ("My boss Graham stays", "My boss Graham retires", "", "My boss Graham stays"),
        ("Lena is staying on", "My boss Graham retires", "", "Lena is staying on"),
        ("Anabel moved", "My sister Ana is here", "", "Anabel moved"),
        ("Ana moved", "My sister Ana is here", "My sister Ana is ill", "Ana moved"),
    ],
)
def test_what_takes_a_place_goes_on_saying_who_somebody_is(text, before, kept, introduced):
    assert introducing(text, [before], kept) == introduced
