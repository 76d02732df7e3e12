import { sentences } from './fields.ts'
import { type Block, CONVENTIONS, GETTING_STARTED, type Section } from './guide.ts'
import { breakable, html, inline, type Markup } from './html.ts'
import type { Group, Operation } from './reference.ts'
import { type ListedFields, type Place, type Row, withoutRepeated } from './repeated-fields.ts'

interface PageOptions {
  hasTheme: boolean
}

/** All pages work without JavaScript. */
export function renderIndex(groups: Group[], options: PageOptions): string {
  const content = html`<header class="top">
<h1>API reference</h1>
<p>The Atrium REST API. This reference is generated from the contract that the server runs.</p>
<p class="links"><a href="/docs.md">Markdown</a> <a href="/api/v1/openapi.json">OpenAPI 3.1</a></p>
</header>
<section class="group" aria-labelledby="resources">
${heading(2, 'resources', 'Resources')}
<ul class="resources">${groups.map(
    ({ id, name, operations }) => html`
<li><a href="/docs/${id}">${name}</a> <span>${operations.length}</span></li>`,
  )}
</ul>
</section>
<section class="group" aria-labelledby="getting-started">
${heading(2, 'getting-started', 'Getting started')}
${GETTING_STARTED.map(renderSection)}
</section>
<section class="group" aria-labelledby="conventions">
${heading(2, 'conventions', 'Conventions')}
${CONVENTIONS.map(renderSection)}
</section>`
  return renderPage({ title: 'API reference', groups, current: null, content }, options)
}

export function renderResource(groups: Group[], group: Group, options: PageOptions): string {
  const { id, name, operations } = group
  // A field is marked in another way in a request than in a response.
  const listed = { inputs: new Map(), outputs: new Map() }
  const content = html`<header class="top">
<p class="links"><a href="/docs">API reference</a></p>
<h1 id="${id}">${name}</h1>
</header>
<section class="group" aria-labelledby="endpoints">
${heading(2, 'endpoints', 'Endpoints')}
${operations.map((operation) => renderOperation(operation, listed))}
</section>`
  const page = renderPage({ title: `${name} · API reference`, groups, current: id, content }, options)
  return page.replaceAll(/href="#([\w-]+)"/g, (link, anchor: string) =>
    GUIDE_ANCHORS.has(anchor) ? `href="/docs#${anchor}"` : link,
  )
}

/** Operation texts link to the guide on the start page. */
const GUIDE_ANCHORS = new Set([...GETTING_STARTED, ...CONVENTIONS].map(({ id }) => id))

interface Page {
  title: string
  groups: Group[]
  current: string | null
  content: Markup
}

function renderPage({ title, groups, current, content }: Page, { hasTheme }: PageOptions): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Atrium</title>
<link rel="alternate" type="text/markdown" href="/docs.md" title="The reference as Markdown">
${
  hasTheme &&
  html`<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="/theme.js"></script>`
}
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">${BRAND}<button type="button" popovertarget="contents">Contents</button></header>
${renderContents(groups, current)}
<main id="content" tabindex="-1">
${content}
</main>
</body>
</html>
`.text
}

const BRAND = html`<a class="brand" href="/docs"><svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
<rect width="24" height="24" rx="6"/><path d="M6.5 18.5V12a5.5 5.5 0 0 1 11 0v6.5"/><circle cx="12" cy="13" r="2"/>
</svg>Atrium <span>API</span></a>`

/** Lists every operation so the filter works on any page. */
function renderContents(groups: Group[], current: string | null): Markup {
  const guide = (id: string, title: string, sections: Section[]) => html`
<section${current !== null && html` class="closed"`}><h2><a href="/docs#${id}">${title}</a></h2>
<ul>${sections.map((section) => html`<li><a href="/docs#${section.id}">${section.title}</a></li>`)}</ul></section>`
  return html`<nav id="contents" aria-label="Contents" popover>
${BRAND}
<div class="filter" hidden><input type="search" id="filter" placeholder="Search" aria-label="Search endpoints"
 autocomplete="off" spellcheck="false"><kbd>/</kbd></div>
<div class="list">
${guide('getting-started', 'Getting started', GETTING_STARTED)}
${guide('conventions', 'Conventions', CONVENTIONS)}
${groups.map(
  ({ id, name, operations }) => html`
<section${id !== current && html` class="closed"`}><h2><a href="/docs/${id}"${id === current && html` aria-current="page"`}>${name}</a></h2>
<ul>${operations.map(
    (operation) => html`
<li data-words="${operation.method} ${operation.path}"><a href="/docs/${id}#${operation.id}">${operation.summary} <span class="method ${operation.method.toLowerCase()}">${operation.method}</span></a></li>`,
  )}
</ul></section>`,
)}
<p class="none" role="status" hidden>No results.</p>
</div>
<a class="back" href="/">Open the dashboard</a>
</nav>`
}

function renderSection({ id, title, blocks }: Section): Markup {
  const isCode = (block: Block) => typeof block === 'object' && 'code' in block
  return html`
<article class="entry" aria-labelledby="${id}">
<div class="words">${heading(3, id, title)}
${blocks.filter((block) => !isCode(block)).map(renderBlock)}</div>
<div class="samples">${blocks.filter(isCode).map(renderBlock)}</div>
</article>`
}

function renderBlock(block: Block): Markup {
  if (typeof block === 'string') return html`<p>${inline(block)}</p>`
  if ('code' in block) return renderCode(block.title, block.code)
  return html`<table>
<thead><tr>${block.columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${block.rows.map(
    (row) => html`
<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`,
  )}
</tbody></table>`
}

function renderOperation(
  operation: Operation,
  listed: { inputs: ListedFields; outputs: ListedFields },
): Markup {
  const { id, method, path, summary, description, access, limit, inputs, success, output, statuses } =
    operation
  return html`
<article class="entry" aria-labelledby="${id}">
<div class="words">
${heading(3, id, summary)}
<p class="url"><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></p>
${description && html`<p>${inline(description)}</p>`}
<dl class="facts">
<div><dt>Access</dt><dd>${inline(access)}</dd></div>
${limit && html`<div><dt>Limit</dt><dd>${inline(limit)}</dd></div>`}
</dl>
${inputs.map(({ title, fields }) => {
  const place = { anchor: `${id}-${title.toLowerCase()}`, title: summary }
  return renderFields(place.anchor, title, withoutRepeated(fields, listed.inputs, place), renderInput)
})}
${renderFields(
  `${id}-response`,
  'Response',
  withoutRepeated(output, listed.outputs, { anchor: `${id}-response`, title: summary }),
  renderOutput,
)}
${heading(4, `${id}-status`, 'Status')}
<ul class="statuses">${statuses.map(
    ({ status, name }) => html`
<li><b>${status}</b> ${status < 400 ? name : html`<a href="#errors">${name}</a>`}</li>`,
  )}
</ul>
</div>
<div class="samples">
${renderCode('Request', operation.curl)}
${renderCode(`${success} response`, operation.example)}
</div>
</article>`
}

const heading = (level: 2 | 3 | 4, id: string, title: string): Markup =>
  html`<h${level} id="${id}"><a href="#${id}">${title}</a></h${level}>`

const renderCode = (title: string, code: string): Markup =>
  html`<figure><figcaption>${title}</figcaption><pre><code>${code}</code></pre></figure>`

function renderFields(id: string, title: string, rows: Row[] | Place, render: (row: Row) => Markup): Markup {
  if (!Array.isArray(rows))
    return html`${heading(4, id, title)}
<p>${sameFields(rows)}</p>`
  return html`${heading(4, id, title)}
<table class="fields" aria-labelledby="${id}">
<thead><tr><th scope="col">Name</th><th scope="col">Type and constraints</th></tr></thead>
<tbody>${rows.map(render)}
</tbody>
</table>`
}

const sameFields = ({ anchor, title, path }: Place): Markup =>
  html`Fields as in <a href="#${anchor}">${title}</a>${path && html`, <code>${breakable(path)}</code>`}.`

/** Marks required request fields and optional response fields. */
const renderInput = (row: Row) =>
  renderField(row, row.field.required && html` <span class="required">required</span>`)
const renderOutput = (row: Row) =>
  renderField(row, !row.field.required && html` <span class="type">(optional)</span>`)

function renderField({ field: { path, type, notes }, same }: Row, mark: Markup | false): Markup {
  const [, parent = '', name = ''] = /^(.*\.)?([^.]+)$/.exec(path) ?? []
  return html`
<tr><th scope="row"><code>${parent && html`<span>${breakable(parent)}</span>`}${breakable(name)}</code></th>
<td><span class="type">${type}</span>${mark}${notes.length > 0 && html` ${inline(sentences(notes))}`}${same && html` ${sameFields(same)}`}</td></tr>`
}
