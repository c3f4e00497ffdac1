/// The style sheet of the page. The colours of the bars and curves are those of Okabe and Ito, of which each scheme takes the ones that
/// stand out from its background; every bar also has a border and a pattern.
enum PageStyle {
    static let text = colours + page + bars + plot + tables

    private static let colours = """
        :root{color-scheme:light dark;--page:#fbfbfa;--ink:#1d2329;--dim:#4d5761;--line:#dcdfe3;--shade:#ffffff8c;\
        --blue:#0072b2;--red:#d55e00;--green:#009e73;--grey:#fbfbfa;--pink:#cc79a7;--orange:#e69f00}
        @media(prefers-color-scheme:dark){:root{--page:#15181c;--ink:#e6e9ec;--dim:#a8b1ba;--line:#343b43;--shade:#0000008c;\
        --blue:#56b4e9;--grey:#15181c}}
        .single,.p50{--colour:var(--blue)}.batch,.p90{--colour:var(--red)}.tables,.p99{--colour:var(--green)}\
        .openssl{--colour:var(--grey)}.long,.p999{--colour:var(--pink)}.longBatch{--colour:var(--orange)}

        """

    private static let page = """
        body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
        main{max-width:72rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
        h1{font-size:1.7rem;margin:0 0 1rem}h2{font-size:1.15rem;margin:2.5rem 0 .25rem}
        p{margin:0 0 .75rem;color:var(--dim);max-width:44rem}
        dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.25rem;margin:0}\
        dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
        .legend{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:0 0 .75rem;padding:0;list-style:none;font-size:.875rem}
        .legend li{display:flex;align-items:center;gap:.5rem}

        """

    private static let bars = """
        .bars{display:grid;grid-template-columns:max-content minmax(0,1fr) max-content;font-size:.875rem;line-height:1.5rem;\
        font-variant-numeric:tabular-nums}
        .name,.figure{align-self:end;white-space:nowrap}.name{padding-right:.75rem;text-align:right}
        .figure,.unit{padding-left:.75rem;text-align:right}.first{padding-top:.75rem}.unit{color:var(--dim)}
        .track{position:relative;height:1.5rem;background:repeating-linear-gradient(to right,var(--line) 0 1px,transparent 1px var(--step))}
        .track .bar{position:absolute;left:0;bottom:.25rem;height:1rem}
        .bar{box-sizing:border-box;min-width:2px;border:1px solid var(--ink);background-color:var(--colour)}
        .batch.bar,.longBatch.bar{background-image:repeating-linear-gradient(45deg,var(--shade) 0 3px,transparent 3px 9px)}
        .tables.bar{background-image:repeating-linear-gradient(to right,var(--shade) 0 2px,transparent 2px 6px)}
        .long.bar,.longBatch.bar{border-width:2px}
        .legend .bar{width:1.75rem;height:1rem}
        .spread{box-sizing:border-box;height:9px;border:solid var(--ink);border-width:0 2px;\
        background:linear-gradient(var(--ink),var(--ink)) 0 50%/100% 2px no-repeat;filter:drop-shadow(0 0 1px var(--page))}
        .track .spread{position:absolute;bottom:calc(.75rem - 4.5px);min-width:4px}.legend .spread{width:1.75rem}
        .marked .track:not(.ticks)::after{content:"";position:absolute;inset:0 auto 0 var(--mark);border-left:2px dashed var(--dim)}
        .legend .mark{height:1.25rem;border-left:2px dashed var(--dim);margin:0 .75rem}
        .ticks{color:var(--dim);background:none}.ticks span{position:absolute;top:.25rem;transform:translateX(-50%)}
        @media(max-width:40rem){.bars{grid-template-columns:max-content minmax(0,1fr);grid-auto-flow:dense}
        .name{text-align:left}.track{grid-column:1/-1;margin-right:1rem}}

        """

    private static let plot = """
        .plot{padding:0 1.25rem 0 5rem}.plot>svg{display:block;width:100%;overflow:visible}
        .plot text{fill:var(--dim);font:.8125rem system-ui,sans-serif}.axis{stroke:var(--line)}
        .curve{stroke:var(--colour);stroke-width:2}.p90.curve{stroke-dasharray:8 4}.p99.curve{stroke-dasharray:2 4}\
        .p999.curve{stroke-dasharray:8 3 2 3}
        svg.mark{overflow:visible;fill:var(--colour);stroke:var(--page)}

        """

    /// A narrow screen shows each line of a table as a list, so that nothing is scrolled sideways.
    private static let tables = """
        table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.875rem}
        th,td{padding:.25rem .5rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
        th:first-child,td:first-child{text-align:left}thead th{color:var(--dim);font-weight:600}tbody th{font-weight:400}
        td.note{white-space:normal;text-align:left;color:var(--dim)}
        @media(max-width:74rem){thead{display:none}tr{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:0 1.5rem;\
        padding:.5rem 0;border-bottom:1px solid var(--line)}\
        th,td{border:0;padding:0;display:flex;justify-content:space-between;gap:.5rem}\
        tbody th,td.note{grid-column:1/-1}tbody th{font-weight:600}\
        td[data-title]::before{content:attr(data-title);color:var(--dim)}}
        """
}
