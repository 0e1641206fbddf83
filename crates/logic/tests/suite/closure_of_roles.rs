//! Tests every inference about object properties and individuals on small ontologies.

use crate::support::*;
use pellucid_data::Axiom;
use pellucid_learn::run::{Control, StopReason};
use pellucid_logic::kb::{Closure, KbError, KnowledgeBase};

#[test]
fn merged_individuals_have_the_facts_of_all_names() {
    let kb = Builder::new()
        .is("clark", "Reporter")
        .is("superman", "Hero")
        .edge("superman", "loves", "lois")
        .edge("clark", "loves", "lois")
        .same("superman", "kal-el")
        .same("kal-el", "clark")
        .kb();
    assert_eq!(kb.world.len(), 2);
    assert_eq!(members(&kb, "Hero"), ["clark"]);
    assert_eq!(members(&kb, "Reporter"), ["clark"]);
    assert_eq!(pairs(&kb, "loves"), ["clark-lois"]);
    for name in ["clark", "superman", "<kal-el>"] {
        assert_eq!(kb.find_individual(name), Some(0), "{name}");
    }
}

#[test]
fn a_sub_property_is_included_in_its_super_property() {
    let kb = Builder::new()
        .edge("anna", "hasSon", "bert")
        .edge("anna", "hasChild", "carl")
        .sub_role("hasSon", "hasChild")
        .sub_role("hasChild", "relatedTo")
        .kb();
    assert_eq!(pairs(&kb, "hasChild"), ["anna-bert", "anna-carl"]);
    assert_eq!(pairs(&kb, "relatedTo"), ["anna-bert", "anna-carl"]);
    assert_eq!(pairs(&kb, "hasSon"), ["anna-bert"]);
    assert_eq!(kb.roles.parents, [vec![1], vec![2], vec![]]);
    assert_eq!(kb.asserted.roles, [1, 1, 0]);
}

#[test]
fn equivalent_properties_have_the_same_edges() {
    let kb = Builder::new()
        .edge("a", "likes", "b")
        .edge("c", "isFondOf", "d")
        .same_role("likes", "isFondOf")
        .kb();
    assert_eq!(pairs(&kb, "likes"), ["a-b", "c-d"]);
    assert_eq!(pairs(&kb, "isFondOf"), ["a-b", "c-d"]);
    assert_eq!(kb.roles.parents, [vec![], vec![]] as [Vec<u32>; 2]);
}

#[test]
fn an_inverse_reverses_edges() {
    let kb = Builder::new()
        .edge("a", "hasChild", "b")
        .edge("d", "hasParent", "c")
        .same_role("hasParent", "-hasChild")
        .sub_role("hasParent", "hasRelative")
        .kb();
    assert_eq!(pairs(&kb, "hasChild"), ["a-b", "c-d"]);
    assert_eq!(pairs(&kb, "hasParent"), ["b-a", "d-c"]);
    assert_eq!(pairs(&kb, "hasRelative"), ["b-a", "d-c"]);
}

#[test]
fn inclusions_may_pass_through_inverses() {
    // r is included in the inverse of s, which is included in t.
    let kb = Builder::new().edge("a", "r", "b").sub_role("r", "-s").sub_role("-s", "t").kb();
    assert_eq!(pairs(&kb, "s"), ["b-a"]);
    assert_eq!(pairs(&kb, "t"), ["a-b"]);
    assert_eq!(kb.roles.parents, [vec![2], vec![], vec![]] as [Vec<u32>; 3]);
}

#[test]
fn a_symmetric_property_has_both_directions() {
    let kb = Builder::new().edge("a", "knows", "b").symmetric("knows").kb();
    assert_eq!(pairs(&kb, "knows"), ["a-b", "b-a"]);
}

#[test]
fn a_transitive_property_is_closed() {
    let kb = Builder::new()
        .edge("a", "within", "b")
        .edge("b", "directlyWithin", "c")
        .sub_role("directlyWithin", "within")
        .edge("d", "contains", "c")
        .same_role("contains", "-within")
        .transitive("within")
        .kb();
    assert_eq!(pairs(&kb, "within"), ["a-b", "a-c", "a-d", "b-c", "b-d", "c-d"]);
    assert_eq!(pairs(&kb, "contains"), ["b-a", "c-a", "c-b", "d-a", "d-b", "d-c"]);
    assert_eq!(pairs(&kb, "directlyWithin"), ["b-c"]);
}

#[test]
fn symmetric_and_transitive_properties_form_cliques() {
    let kb = Builder::new()
        .edge("a", "like", "b")
        .edge("c", "like", "b")
        .symmetric("like")
        .transitive("like")
        .kb();
    assert_eq!(pairs(&kb, "like").len(), 9);
}

#[test]
fn a_reflexive_property_has_all_self_loops() {
    let mut builder = Builder::new().edge("a", "knows", "b").sub_role("knows", "sees");
    let knows = builder.role("knows");
    let kb = builder.axiom(Axiom::Reflexive(knows)).kb();
    assert_eq!(pairs(&kb, "knows"), ["a-a", "a-b", "b-b"]);
    assert_eq!(pairs(&kb, "sees"), ["a-a", "a-b", "b-b"]);
}

#[test]
fn chains_are_composed() {
    let kb = Builder::new()
        .edge("anna", "hasParent", "bert")
        .edge("bert", "hasBrother", "carl")
        .sub_role("hasParent hasBrother", "hasUncle")
        .sub_role("-hasBrother -hasParent", "uncleOf")
        .kb();
    assert_eq!(pairs(&kb, "hasUncle"), ["anna-carl"]);
    assert_eq!(pairs(&kb, "uncleOf"), ["carl-anna"]);
}

#[test]
fn chains_may_depend_on_each_other() {
    // The location of a part is the location of the whole, and parts of parts are parts.
    let kb = Builder::new()
        .edge("flea", "isIn", "fur")
        .edge("fur", "partOf", "skin")
        .edge("skin", "partOf", "cat")
        .edge("cat", "isIn", "house")
        .sub_role("isIn partOf", "isIn")
        .sub_role("partOf isIn", "isIn")
        .transitive("partOf")
        .transitive("isIn")
        .kb();
    assert_eq!(pairs(&kb, "partOf"), ["fur-cat", "fur-skin", "skin-cat"]);
    let expected =
        ["cat-house", "flea-cat", "flea-fur", "flea-house", "flea-skin", "fur-house", "skin-house"];
    assert_eq!(pairs(&kb, "isIn"), expected);
}

#[test]
fn a_chain_of_a_property_with_itself_is_transitivity() {
    let mut builder = Builder::new().sub_role("r r", "r");
    for step in 0..2_000 {
        builder = builder.edge(&format!("n{step}"), "r", &format!("n{}", step + 1));
    }
    assert_eq!(builder.kb().world.roles()[0].forward.len(), 2_001_000);
}

#[test]
fn too_many_edges_are_an_error() {
    let mut builder = Builder::new().transitive("r");
    for step in 0..50 {
        builder = builder.edge(&format!("n{step}"), "r", &format!("n{}", step + 1));
    }
    let closure = Closure { edge_limit: Some(1_000), ..Closure::default() };
    let error = KnowledgeBase::new(builder.clone().0, &closure).unwrap_err();
    assert_eq!(error, KbError::TooManyEdges { role: "r".into(), limit: 1_000 });
    let message = error.to_string();
    assert!(
        message.contains("more than 1000 edges in total") && message.contains("'r'"),
        "{message}"
    );
    let builder = builder.sub_role("r s", "r").sub_role("r", "s");
    assert!(KnowledgeBase::new(builder.0, &closure).is_err());
}

#[test]
fn the_limit_applies_to_the_total() {
    // Each of ten chains of ten edges has 55 edges after inference.
    let mut builder = Builder::new();
    for role in 0..10 {
        builder = builder.transitive(&format!("r{role}"));
        for step in 0..10 {
            let (from, to) = (format!("n{step}"), format!("n{}", step + 1));
            builder = builder.edge(&from, &format!("r{role}"), &to);
        }
    }
    let limited = |most| Closure { edge_limit: Some(most), ..Closure::default() };
    KnowledgeBase::new(builder.clone().0, &limited(550)).expect("exactly the limit");
    assert!(KnowledgeBase::new(builder.0, &limited(549)).is_err());
    // Equivalent properties count their edges separately.
    let mut builder = Builder::new().transitive("s0");
    for step in 0..10 {
        builder = builder.edge(&format!("n{step}"), "s0", &format!("n{}", step + 1));
    }
    for name in 1..10 {
        let (one, other) = ("s0".to_owned(), format!("s{name}"));
        builder = builder.sub_role(&one, &other).sub_role(&other, &one);
    }
    KnowledgeBase::new(builder.clone().0, &limited(550)).expect("exactly the limit");
    assert!(KnowledgeBase::new(builder.0, &limited(549)).is_err());
    // Reflexive properties add one edge per individual.
    let mut builder = Builder::new();
    for role in 0..10 {
        let (from, name) = (format!("n{role}"), format!("t{role}"));
        builder = builder.edge(&from, &name, &from);
        let role = builder.role(&name);
        builder = builder.axiom(Axiom::Reflexive(role));
    }
    KnowledgeBase::new(builder.clone().0, &limited(110))
        .expect("enough for the intermediate result");
    assert!(KnowledgeBase::new(builder.0, &limited(99)).is_err());
}

/// The default limit bounds the inferences of a small file; a large file is always read.
#[test]
fn the_default_limit_for_small_files() {
    let path = |steps: usize| {
        let mut builder = Builder::new().transitive("r");
        for step in 0..steps {
            builder = builder.edge(&format!("n{step}"), "r", &format!("n{}", step + 1));
        }
        builder
    };
    let usual = Closure::default();
    KnowledgeBase::new(path(2_000).0, &usual).expect("two million edges");
    let error = KnowledgeBase::new(path(2_500).0, &usual).unwrap_err();
    assert_eq!(error, KbError::TooManyEdges { role: "r".into(), limit: 3_000_000 });
    let more = Closure { edge_limit: Some(4_000_000), ..usual };
    KnowledgeBase::new(path(2_500).0, &more).expect("the raised limit");
    // The same for relations that are completed edge by edge.
    let chains = |steps: usize| path(steps).sub_role("r s", "r").sub_role("r", "s");
    let few = Closure { edge_limit: Some(100_000), ..usual };
    assert!(KnowledgeBase::new(chains(600).0, &few).is_err());
}

/// A chain through many individuals: each end is found once, not once per individual in between.
#[test]
fn a_chain_through_many_individuals() {
    let mut builder = Builder::new();
    for middle in 0..300 {
        builder = builder.edge("start", "a", &format!("m{middle}"));
        for end in 0..300 {
            builder = builder.edge(&format!("m{middle}"), "b", &format!("e{end}"));
        }
    }
    let builder = builder.sub_role("a b", "c");
    let closure = Closure { edge_limit: Some(91_000), ..Closure::default() };
    let kb = KnowledgeBase::new(builder.0, &closure).expect("300, 90,000 and 300 edges");
    let role = kb.world.role_names().find("c").expect("c");
    assert_eq!(kb.world.roles()[role as usize].forward.len(), 300);
}

/// A transitive property with chains that relate everything, and one more property that is built of
/// three others.
#[test]
fn a_recursive_chain_over_many_individuals() {
    let mut builder = Builder::new().transitive("r");
    for at in 0..1_700 {
        builder = builder.edge(&format!("n{at}"), "r", &format!("n{}", (at + 1) % 1_700));
    }
    let builder = builder.sub_role("r r", "r").sub_role("r s", "r").sub_role("r s r", "s");
    let builder = builder.edge("n0", "s", "n1");
    let more = Closure { edge_limit: Some(20_000_000), ..Closure::default() };
    let kb = KnowledgeBase::new(builder.0, &more).expect("two complete relations");
    for role in kb.world.roles() {
        assert_eq!(role.forward.len(), 1_700 * 1_700);
    }
}

/// Inference is part of the run: its time limit and Ctrl-C stop it.
#[test]
fn inference_stops_with_the_run() {
    let mut builder = Builder::new().transitive("r").sub_role("r s", "r").sub_role("r", "s");
    for step in 0..200 {
        builder = builder.edge(&format!("n{step}"), "r", &format!("n{}", step + 1));
    }
    let closure = Closure::default();
    let late = Control::new().time_limit(std::time::Duration::ZERO);
    let error = KnowledgeBase::with_control(builder.clone().0, &closure, &late).unwrap_err();
    assert_eq!(error, KbError::Stopped { reason: StopReason::Time });
    let interrupted = Control::new();
    interrupted.interrupt();
    let error = KnowledgeBase::with_control(builder.clone().0, &closure, &interrupted).unwrap_err();
    assert_eq!(error.to_string(), "interrupted before the inference of the ontology was complete");
    let free = Control::new();
    KnowledgeBase::with_control(builder.0, &closure, &free).expect("nothing stops it");
}
