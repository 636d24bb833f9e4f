SELECT at, candidates, largest, tasks FROM ranking;
