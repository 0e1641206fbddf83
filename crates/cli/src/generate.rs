//! `pellucid generate`: synthetic data sets and benchmark problems.

use anyhow::{Result, bail};
use pellucid::generate::{
    GraphKind, PlantedData, RandomColumns, RandomContext, RandomGenotypes, artificial, bags,
    context, genotypes, multiplexer, table,
};
use pellucid::io::{self, ContextFormat, Dataset, FileForm, TableFormat};
use pellucid_arguments::{
    ArtificialArgs, BagsArgs, ColumnsArgs, Destinations, GenerateArgs, GenerateContextArgs,
    Generator, GenotypesArgs, GraphArg, MultiplexerArgs, OutArgs, TableArgs, is_standard,
};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::out::{grouped, print, say, stdout, to_file_or_stdout};
use std::ops::RangeInclusive;

pub(crate) fn run(args: &GenerateArgs) -> Result<ExitStatus> {
    match &args.what {
        Generator::Multiplexer(MultiplexerArgs { bits, rows, out }) => {
            check(out)?;
            write(&multiplexer(*bits, *rows, out.seed)?, out)
        }
        Generator::Genotypes(args) => random_genotypes(args),
        Generator::Artificial(ArtificialArgs { number, out }) => {
            check(out)?;
            let planted = artificial(*number, out.seed)?;
            report_planted_bags(&planted);
            write(&planted.data, out)
        }
        Generator::Table(TableArgs { rows, columns, out }) => {
            check(out)?;
            let planted = table(*rows, &column_options(columns), out.seed)?;
            say(format_args!("planted rule: a row has class 1 if {}", planted.rule));
            write(&planted.data, out)
        }
        Generator::Bags(BagsArgs { bags: count, size, columns, out }) => {
            check(out)?;
            let columns = column_options(columns);
            let planted = bags(*count, sizes(size)?, &columns, out.seed)?;
            report_planted_bags(&planted);
            write(&planted.data, out)
        }
        Generator::Context(args) => random_context(args),
    }?;
    Ok(ExitStatus::Done)
}

/// Generates genotypes, and reports the probability of class 1 by genotypes.
fn random_genotypes(args: &GenotypesArgs) -> Result<()> {
    check(&args.out)?;
    let files = Destinations::default().writes("--out", Some(&args.out.out));
    files.writes("--truth", args.truth.as_deref()).check()?;
    let random = RandomGenotypes {
        attributes: args.attributes,
        models: args.models,
        heritability: args.heritability,
        minor_allele: args.minor_allele,
    };
    let made = genotypes(args.rows, &random, args.out.seed)?;
    for (number, model) in (1..).zip(&made.penetrance) {
        let rows = model.map(|row| row.map(|share| format!("{share:.2}")).join(" "));
        say(format_args!(
            "model {number}: probability of class 1 for M{number}P1 = 0, 1, 2 (rows) and M{number}P2 = 0, 1, \
             2: {}",
            rows.join(" | ")
        ));
    }
    if let Some(file) = &args.truth {
        let models = made.model_of_row.iter().zip(&made.likeliest_model);
        let line = |(row, (model, likeliest)): (usize, (&usize, &usize))| {
            format!("{row},{},{}\n", model + 1, likeliest + 1)
        };
        let lines: String = (1..).zip(models).map(line).collect();
        to_file_or_stdout(file, |mut out| {
            print(&mut out, &format!("row,model,likeliest\n{lines}"))
        })?;
    }
    write(&made.data, &args.out)
}

/// Checks the output file before generating, which can take a minute.
fn check(out: &OutArgs) -> Result<()> {
    if !is_standard(&out.out) {
        FileForm::<TableFormat>::of(&out.out)?;
    }
    Destinations::default().writes("--out", Some(&out.out)).check()
}

fn write(data: &Dataset, out: &OutArgs) -> Result<()> {
    if is_standard(&out.out) {
        return Ok(io::write_csv(data, stdout())?);
    }
    Ok(io::write(data, &out.out)?)
}

fn random_context(args: &GenerateContextArgs) -> Result<()> {
    let to_stdout = is_standard(&args.out);
    if !to_stdout {
        FileForm::<ContextFormat>::of(&args.out)?;
    }
    Destinations::default().writes("--out", Some(&args.out)).check()?;
    let context = context(&context_options(args), args.seed)?;
    say(format_args!(
        "{} objects, {} attributes, {} crosses ({:.2} % of all pairs)",
        grouped(context.objects.len() as u64),
        grouped(context.attributes.len() as u64),
        grouped(context.relation.crosses() as u64),
        100.0 * context.density()
    ));
    if to_stdout {
        return Ok(ContextFormat::Burmeister.write(&context, stdout())?);
    }
    Ok(io::write_context(&context, &args.out)?)
}

fn report_planted_bags(planted: &PlantedData) {
    say(format_args!(
        "planted rule: a bag has class 1 if one of its rows satisfies {}",
        planted.rule
    ));
    say("the first column names the bags; use --bag bag to read it");
}

fn sizes(text: &str) -> Result<RangeInclusive<usize>> {
    let number = |digits: &str| digits.trim().parse::<usize>().ok();
    let range = match text.split_once("..") {
        None => number(text).map(|size| (size, size)),
        Some((low, high)) => number(low).zip(number(high)),
    };
    let Some((low, high)) = range else {
        bail!("--size: found '{text}'; expected a number or a range such as 1..12")
    };
    Ok(low..=high)
}

fn column_options(args: &ColumnsArgs) -> RandomColumns {
    RandomColumns {
        attributes: args.attributes,
        distinct: args.distinct,
        comparisons: args.comparisons,
        rule: args.rule.clone(),
        noise: args.noise,
        missing: args.missing,
    }
}

fn context_options(args: &GenerateContextArgs) -> RandomContext {
    let graph = args.graph.map(|graph| match graph {
        GraphArg::Uniform => GraphKind::Uniform,
        GraphArg::ChungLu => GraphKind::ChungLu,
    });
    let &GenerateContextArgs { objects, attributes, density, .. } = args;
    RandomContext { objects, attributes, density, graph }
}
