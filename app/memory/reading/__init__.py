"""Reading: what a message states and what the person does with it, told by a learnt reader."""
