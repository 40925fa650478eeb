mod why;
