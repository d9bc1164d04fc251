//! Strongly connected components and reachability.

/// Returns which of `count` places can be reached from the given ones, which are included.
pub(super) fn reachable<N: IntoIterator<Item = usize>>(
    count: usize,
    from: impl IntoIterator<Item = usize>,
    next: impl Fn(usize) -> N,
) -> Vec<bool> {
    let mut reached = vec![false; count];
    let mut open: Vec<_> = from.into_iter().filter(|&place| place < count).collect();
    open.iter().for_each(|&place| reached[place] = true);
    while let Some(place) = open.pop() {
        for next in next(place) {
            if !std::mem::replace(&mut reached[next], true) {
                open.push(next);
            }
        }
    }
    reached
}

/// Returns the first task of each group of a set, unless another task of the set leads to the group, so
/// that a chain is reported once.
///
/// Places from `set.len()` to `count` are not tasks and are always followed. Tasks outside the set are not
/// followed.
pub(super) fn heads(set: &[bool], count: usize, next: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let inside = |place: usize| set.get(place).copied().unwrap_or(true);
    let ways = |place| next(place).into_iter().filter(|&next| inside(next)).collect();
    let members: Vec<_> = (0..set.len()).filter(|&task| set[task]).collect();
    let groups = Groups::new(count, members.iter().copied(), ways);
    let mut is_head = vec![true; groups.count];
    for place in (0..count).filter(|&place| groups.group_of[place].is_some()) {
        for next in ways(place) {
            if groups.group_of[next] != groups.group_of[place] {
                groups.group_of[next].into_iter().for_each(|group| is_head[group] = false);
            }
        }
    }
    let mut first = |group: usize| std::mem::replace(&mut is_head[group], false);
    members.into_iter().filter(|&task| groups.group_of[task].is_some_and(&mut first)).collect()
}

/// Groups of places that can reach each other: strongly connected components.
pub(in crate::check) struct Groups {
    /// The group of each visited place.
    pub(in crate::check) group_of: Vec<Option<usize>>,
    pub(in crate::check) count: usize,
}

impl Groups {
    /// Groups the places that can be reached, with Tarjan's algorithm.
    pub(in crate::check) fn new(
        count: usize,
        from: impl IntoIterator<Item = usize>,
        ways: impl Fn(usize) -> Vec<usize>,
    ) -> Self {
        let mut search = TarjanSearch {
            groups: Self { group_of: vec![None; count], count: 0 },
            lowest: vec![usize::MAX; count],
            found: 0,
            pending: Vec::new(),
        };
        for place in from {
            search.visit(place, &ways);
        }
        search.groups
    }
}

struct TarjanSearch {
    groups: Groups,
    /// The smallest number of a place that each place can reach; `MAX` if it was not visited.
    lowest: Vec<usize>,
    found: usize,
    /// The visited places without a group.
    pending: Vec<usize>,
}

impl TarjanSearch {
    fn visit(&mut self, place: usize, ways: &impl Fn(usize) -> Vec<usize>) {
        if self.lowest[place] != usize::MAX {
            return;
        }
        // Each place on the path, with its number and its unvisited successors.
        let mut path = vec![(place, self.enter(place), ways(place))];
        while let Some((place, number, open)) = path.last_mut() {
            let (place, number) = (*place, *number);
            match open.pop() {
                Some(next) if self.lowest[next] == usize::MAX => {
                    path.push((next, self.enter(next), ways(next)));
                }
                Some(next) => self.leads(place, next),
                None => {
                    path.pop();
                    if self.lowest[place] == number {
                        self.close(place);
                    }
                    if let Some(&(before, ..)) = path.last() {
                        self.leads(before, place);
                    }
                }
            }
        }
    }

    fn enter(&mut self, place: usize) -> usize {
        let number = self.found;
        self.found += 1;
        self.lowest[place] = number;
        self.pending.push(place);
        number
    }

    fn leads(&mut self, place: usize, next: usize) {
        if self.groups.group_of[next].is_none() {
            self.lowest[place] = self.lowest[place].min(self.lowest[next]);
        }
    }

    /// Groups a place with all places that were visited after it and have no group.
    fn close(&mut self, place: usize) {
        while let Some(member) = self.pending.pop() {
            self.groups.group_of[member] = Some(self.groups.count);
            if member == place {
                break;
            }
        }
        self.groups.count += 1;
    }
}
