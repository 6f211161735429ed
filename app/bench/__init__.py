"""What measures Loci and what proves an installation: ``loci bench`` and ``loci --selftest``.

``commands`` is the command line, and each other module takes one measure. No layer imports this
package; ``main`` hands its commands to the command line.
"""
