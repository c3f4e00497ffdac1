// The files of this module follow.
