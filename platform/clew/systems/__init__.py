"""Systems: one file each, reading like the algorithm of its paper."""
