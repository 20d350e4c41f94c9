// This room is under construction; the first real file replaces this one.
