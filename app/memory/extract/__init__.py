"""Find what is worth remembering in a message: by grammar alone, or with a chat model's help.

The way of a message, and which file answers which question:

* Where does it begin and end? ``sentences`` cuts it and blanks out what others said, ``spelling``
  writes it out, ``address`` and ``wholes`` drop a salutation and join what was broken in two.
* Is it meant? ``doubt`` and ``pretence`` know questions, orders, play, hearsay and irony.
* Is it to be kept on purpose? ``standing`` ("always …", "remember that …"), ``calling`` (names).
* Is it an answer? ``questions`` understands what was asked, ``answers`` fills it in.
* Which clauses has it? ``leads``, ``recast``, ``topics`` and ``fragments`` put it plainly,
  ``pieces`` cuts it with the help of ``starts`` and ``verbs``, ``subjects`` and ``predicate`` read
  who does what, and ``clauses`` brings both together.
* What does a clause say? ``clause_reader`` asks the ``tables`` of common statements first, then
  ``plain``, which judges by ``being`` and ``doing``; ``joining`` puts a sentence together again.
* Was something lost? ``stretches`` keeps what by the learnt score of ``salience`` tells of a life,
  ``salvage`` keeps a sentence whole where ``signs`` or ``steady`` show that, ``met`` keeps who was
  named in passing, ``context`` tells a memory with the sentence that it points at.
* How is it written down? ``wording``, ``dates`` and ``person``; ``proofreading`` has the last word.

``reader`` leads one message through all this, and ``statements`` is what everybody else calls.
"""
