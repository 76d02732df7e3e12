import { type Field, sentences } from './fields.ts'
import { breakable, html, inline, type Markup } from './html.ts'
import type { Operation } from './reference.ts'

/** One operation: description and parameters on the left, example request and response on the right. */
export function renderOperation(operation: Operation): Markup {
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
${inputs.map(({ title, fields }) => renderFields(`${id}-${title.toLowerCase()}`, title, fields.map(renderInput)))}
${renderFields(`${id}-response`, 'Response', output.map(renderOutput))}
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

/** A heading that links to itself, so that readers can copy the link. */
export const heading = (level: 2 | 3 | 4, id: string, title: string): Markup =>
  html`<h${level} id="${id}"><a href="#${id}">${title}</a></h${level}>`

export const renderCode = (title: string, code: string): Markup =>
  html`<figure><figcaption>${title}</figcaption><pre><code>${code}</code></pre></figure>`

function renderFields(id: string, title: string, rows: Markup[]): Markup {
  return html`${heading(4, id, title)}
<table class="fields" aria-labelledby="${id}">
<thead><tr><th scope="col">Name</th><th scope="col">Type and constraints</th></tr></thead>
<tbody>${rows}
</tbody>
</table>`
}

/** Marks the exceptions: required fields of a request, optional fields of a response. */
const renderInput = (field: Field) =>
  renderField(field, field.required && html` <span class="required">required</span>`)
const renderOutput = (field: Field) =>
  renderField(field, !field.required && html` <span class="type">(optional)</span>`)

function renderField({ path, type, notes }: Field, mark: Markup | false): Markup {
  const [, parent = '', name = ''] = /^(.*\.)?([^.]+)$/.exec(path) ?? []
  return html`
<tr><th scope="row"><code>${parent && html`<span>${breakable(parent)}</span>`}${breakable(name)}</code></th>
<td><span class="type">${type}</span>${mark}${notes.length > 0 && html` ${inline(sentences(notes))}`}</td></tr>`
}
