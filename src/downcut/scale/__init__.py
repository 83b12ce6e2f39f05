"""One huge land, tile by tile, in a store on the disk: the same bits as if memory had no end."""
