mod testing;
