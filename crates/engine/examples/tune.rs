use pellucid_engine::*;
use std::sync::Arc; use std::time::Instant; use std::num::NonZeroUsize;
struct Rng(u64);
impl Rng { fn n(&mut self)->u64{ self.0^=self.0<<13; self.0^=self.0>>7; self.0^=self.0<<17; self.0.wrapping_mul(0x2545F4914F6CDD1D)} fn u(&mut self,k:usize)->usize{((self.n()>>33) as usize)%k} }
fn main(){
  let args: Vec<String> = std::env::args().collect();
  let distinct: usize = args[1].parse().unwrap(); let share: usize = args[2].parse().unwrap();
  let rows=100_000; let mut g=Rng(88172645463325252);
  let cols=(0..100).map(|c| (format!("c{c}"), Values::Numeric((0..rows).map(|_| g.u(distinct) as f64).collect()))).collect();
  let t=Instant::now(); let table=Table::new(cols).unwrap(); println!("table {:?} {} MB", t.elapsed(), table.plane_bytes()>>20);
  let codes: Vec<u32>=(0..rows).map(|_| g.u(2) as u32).collect();
  let labels=Labels::rows(&table,&codes,2).unwrap();
  let table=Arc::new(table);
  let only = args.get(3).map(|a| a.parse::<Level>().unwrap()); let reps: usize = args.get(4).map_or(30, |a| a.parse().unwrap()); for level in [Level::Avx512, Level::Avx2, Level::Portable].into_iter().filter(|l| only.is_none_or(|o| o==*l)) { for threads in [1] {
    let mut g=Rng(777);
    let mut s=Session::new(table.clone(),labels.clone(),Hypothesis::Rows,&[Arc::new(Cpu::with_level(NonZeroUsize::new(threads),level).unwrap())]).unwrap();
    let pool: Vec<(u32,Op,f64)>=(0..1200).map(|_| (g.u(100) as u32, if g.u(2)==0 {Op::Greater} else {Op::LessEqual}, g.u(distinct) as f64+0.5)).collect();
    let t=Instant::now();
    let roots: Vec<ProgramId>=(0..1000).map(|_| { let n=10+g.u(6); let mut conj=vec![]; let mut cur=vec![];
      for i in 0..n { let l= if g.u(100)<share {pool[g.u(1200)]} else {(g.u(100) as u32, if g.u(2)==0 {Op::Greater} else {Op::LessEqual}, g.u(distinct) as f64+0.5)};
        cur.push(s.programs_mut().number(l.0,l.1,l.2).unwrap()); if i+1==n || g.u(3)==0 { conj.push(s.programs_mut().and(&cur)); cur.clear(); } }
      s.programs_mut().or(&conj) }).collect();
    let intern=t.elapsed();
    let nodes: u64=roots.iter().map(|&r| s.programs().size(r)).sum();
    let t=Instant::now(); s.tally(&roots).unwrap(); let first=t.elapsed();
    let mut best=1e9f64; for _ in 0..reps { s.forget_counts(); let t=Instant::now(); let r=s.tally(&roots).unwrap(); std::hint::black_box(r.of(3)); best=best.min(t.elapsed().as_secs_f64()); }
    println!("{level} x{threads}: intern {intern:?} first {first:?} best {:.2} ms  {:.0} G nodes/s", best*1e3, nodes as f64*rows as f64/best/1e9);
  }}
}
