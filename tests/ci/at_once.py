"""Jobs that run at the same time: a step of each in turn, those of one group one after another."""


def at_once(jobs):
    """A job has steps, an iterator; ok, None before its end; and group(), None or a name and how many may wait."""
    groups = {}
    for job in jobs:
        groups.setdefault(job.group() or job, []).append(job)
    running = []
    for group, members in groups.items():
        if group is not members[0] and group[1] == "single":
            for job in members[1:-1]:  # one waits; the next that comes takes its place
                job.ok = False
        waiting = iter([job for job in members if job.ok is None])
        running.append([next(waiting), waiting])
    while running:
        for pair in list(running):
            if next(pair[0].steps, None) is None:
                pair[0] = next(pair[1], None)
                if pair[0] is None:
                    running.remove(pair)
