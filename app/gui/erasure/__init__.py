"""The one dialog that erases for good: inventory, progress, proof."""
