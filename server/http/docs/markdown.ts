import { BASE } from './curl.ts'
import { type Field, sentences } from './fields.ts'
import { type Block, CONVENTIONS, GETTING_STARTED, type Section } from './guide.ts'
import type { Group, Operation } from './reference.ts'

export function renderMarkdown(groups: Group[]): string {
  return [
    '# Atrium API reference',
    `Base URL: ${BASE} · HTML: ${BASE}/docs · OpenAPI 3.1: ${BASE}/api/v1/openapi.json`,
    '## Endpoints',
    groups
      .flatMap(({ operations }) =>
        operations.map(({ method, path, summary }) => `- \`${method} ${path}\` ${summary}`),
      )
      .join('\n'),
    '## Getting started',
    ...GETTING_STARTED.flatMap(sectionLines),
    '## Conventions',
    ...CONVENTIONS.flatMap(sectionLines),
    ...groups.flatMap(({ name, operations }) => [`## ${name}`, ...operations.flatMap(operationLines)]),
  ]
    .join('\n\n')
    .concat('\n')
}

const sectionLines = ({ title, blocks }: Section): string[] => [`### ${title}`, ...blocks.map(blockText)]

function blockText(block: Block): string {
  if (typeof block === 'string') return block
  return 'code' in block ? fence(block.code) : table(block.columns, block.rows)
}

function operationLines(operation: Operation): string[] {
  const { method, path, summary, description, access, limit, inputs, success, output, statuses } = operation
  return [
    `### ${summary}`,
    `\`${method} ${path}\``,
    ...(description ? [description] : []),
    `- Access: ${access}${limit ? `\n- Limit: ${limit}` : ''}\n- Status: ${statuses
      .map(({ status, name }) => `${status} ${name}`)
      .join(', ')}`,
    ...inputs.flatMap(({ title, fields }) => [`#### ${title}`, inputTable(fields)]),
    '#### Example',
    fence(operation.curl, 'sh'),
    `#### Response ${success}`,
    table(
      ['Name', 'Type', 'Notes'],
      output.map((field) => [`\`${field.path}\``, field.type, sentences(field.notes)]),
    ),
    fence(operation.example, 'json'),
  ]
}

const inputTable = (fields: Field[]) =>
  table(
    ['Name', 'Type', 'Required', 'Rule'],
    fields.map(({ path, type, required, notes }) => [
      `\`${path}\``,
      type,
      required ? 'yes' : 'no',
      sentences(notes),
    ]),
  )

const table = (columns: string[], rows: string[][]) =>
  [columns, columns.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')

const fence = (code: string, language = '') => `\`\`\`${language}\n${code}\n\`\`\``
