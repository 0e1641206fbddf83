use pellucid_data::{Column, Dataset, Target, Values, MISSING};
use pellucid_rules::RuleLearner;
use pellucid_rules::params::Size;
fn load(name: &str) -> Dataset {
    let b = std::fs::read(format!("/work/m/rulex/d/{name}.bin")).unwrap();
    let u = |i: usize| u32::from_le_bytes(b[i..i + 4].try_into().unwrap()) as usize;
    let (n, k) = (u(0), u(4));
    let mut at = 8;
    let mut columns = vec![];
    for f in 0..k {
        let cats = u(at);
        at += 4;
        let v: Vec<f64> = (0..n).map(|i| f64::from_le_bytes(b[at + 8 * i..at + 8 * i + 8].try_into().unwrap())).collect();
        at += 8 * n;
        let values = if cats > 0 {
            Values::Nominal { codes: v.iter().map(|x| if x.is_nan() { MISSING } else { *x as u32 }).collect(), categories: (0..cats).map(|c| format!("c{c}")).collect() }
        } else { Values::Numeric(v) };
        columns.push(Column { name: format!("f{f}"), values });
    }
    let codes = b[at..at + n].iter().map(|&y| u32::from(y)).collect();
    Dataset { name: name.into(), columns, rows: n, target: Some(Target { name: "y".into(), classes: vec!["no".into(), "yes".into()], codes }), ..Dataset::default() }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let data = load(&a[1]);
    let folds: usize = a[2].parse().unwrap();
    let repeats: usize = a[3].parse().unwrap();
    if folds == 0 {
        let t = std::time::Instant::now();
        let m = RuleLearner::new().always_vote(true).fit(&data).unwrap();
        println!("{}\n{:?}", m.text(), t.elapsed());
        for s in &m.model.model.path.as_ref().unwrap().stops { println!("{} {:?} {:?}", s.votes.len(), s.accuracy, s.auc); }
        return;
    }
    for size in [Size::Small, Size::Medium, Size::Large] {
        let t = std::time::Instant::now();
        let cv = RuleLearner::new().always_vote(true).size(size).cross_validate(&data, folds, repeats).unwrap();
        println!("{} {size:?} {:?} {}", a[1], t.elapsed(), serde_json::to_string(&cv.summary()).unwrap());
    }
}
