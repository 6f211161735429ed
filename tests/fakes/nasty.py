"""Texts of JSON values, or of what somebody takes for one, that no field expects."""

NASTY = ("null", "true", "[]", "{}", '""', "-1", "NaN", "1e400", '"\\ud800"')
