use super::*;

#[test]
fn each_duration_counts_in_its_bound_and_all_larger_ones() {
    let histogram = Histogram::default();
    for took in [250, 251, 1_000_000_000].map(Duration::from_micros) {
        histogram.add(took);
    }
    let counts: Vec<_> = histogram.cumulated().collect();
    assert_eq!(counts[..3], [("0.00025", 1), ("0.001", 2), ("0.004", 2)]);
    assert_eq!(counts[8..], [("10", 2), ("+Inf", 3)]);
    assert!((histogram.sum() - 1_000.000_501).abs() < 1e-9);
}

#[test]
fn requests_count_by_route_and_status_and_routes_nobody_asked_are_not_there() {
    let numbers = Numbers::default();
    let took = Duration::from_millis(2);
    numbers.of_route("GET", "/a").count(200, took);
    numbers.of_route("GET", "/a").count(200, took);
    numbers.of_route("GET", "/a").count(404, took);
    numbers.of_route("POST", "/a").count(599, took);
    numbers.of_route("POST", "/a").count(99, took);
    numbers.of_route("POST", "/a").count(600, took);
    let routes = numbers.routes();
    let counts: Vec<_> = routes
        .iter()
        .map(|(method, path, of)| (method.as_str(), *path, of.by_status().collect::<Vec<_>>()))
        .collect();
    assert_eq!(
        counts,
        [
            ("GET", "/a", vec![(200, 2), (404, 1)]),
            ("POST", "/a", vec![(599, 1)])
        ]
    );
}
