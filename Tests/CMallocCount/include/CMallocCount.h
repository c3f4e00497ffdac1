int cmalloc_placeholder(void);
