// The files of this target follow.
