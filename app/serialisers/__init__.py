"""What the command line prints as JSON, and what servers return: one shape for each noun.

Each function takes what a service returned and gives plain values that ``json.dumps`` takes. It
reads and writes nothing else. Each shape is described in ``resources/docs/json.md`` under the
function's name, which therefore stands once in this package; a test holds the two together.

A new field is no new version. A field that goes, is renamed or means something else is one.
"""
