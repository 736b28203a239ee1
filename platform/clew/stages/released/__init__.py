"""What AriadneMem's released code does where it differs from the paper, a stage for each phase.

Written from a description of its behaviour, not from its text. The differences are numbered
D1 to D26; each can be swapped alone into a system with the paper's numbers (`ablation=code_…`),
and `system=ariadne_code` has them all. Where the original depends on the order of threads or of
sets, ours is the order of telling, or of the alphabet.

Not here are those that change nothing without a model, or that cannot be measured:

- D2, that a unit knows nothing of its messages: nothing could then be said of evidence recall.
- D5, that the prompt keeps relative times: our rules always do, and the date lies beside them.
- D8, that a merge does not refresh the time: only a gate reads it, so it goes with D3.
- D13 has a third effect, a wrong focus in the prompt, beside the two in `paths.py`.
- D25, aggregation as one line of the prompt; D26, that two ablations have no switch.

Of D10 also what leaks from one conversation into the next is left out: ours share no memory.
"""
