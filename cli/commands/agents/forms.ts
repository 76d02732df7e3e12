import type { Command } from 'commander'
import { forms as endpoints } from '../../../contract/canvas/forms.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { command, LIMIT_DEFAULT, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { parseJson } from '../../parse.ts'
import { print, printData, printMessage, sanitize, sanitizeLines, style } from '../../terminal.ts'
import { requireId } from './runs/find.ts'
import { shorten, timeText } from './runs/labels.ts'

const HELP = `
A field is key=value. A boolean is true or false, a date 2027-01-31. Text with spaces needs quotes.

Examples:
  npx atrium forms ls                                  forms that wait for your answer
  npx atrium forms show 0199…                          its text, and the key of each field
  npx atrium forms answer 0199… amount=250 approved=true
  npx atrium forms answer 0199… 'reason=Too expensive'
`

export function addFormCommands(program: Command, environment: CliEnvironment): void {
  const forms = program
    .command('forms')
    .description('List, show and answer forms that workflows wait for')
    .addHelpText('after', HELP)
    .exitOverride()
  command(forms, 'ls', 'List open forms that you may answer, newest first')
    .option('--limit <count>', 'number of forms, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listForms(options, environment))
  command(forms, 'show <form>', 'Show a form’s text and fields, or its answer').action((ref, options) =>
    showForm(ref, options, environment),
  )
  command(forms, 'answer <form> <fields...>', 'Answer a form; its workflow continues').action(
    (ref, fields, options) => answerForm(ref, fields, options, environment),
  )
}

interface Options {
  server?: string
  json?: boolean
}

type Form = OutputOf<typeof endpoints.get>
type Field = Form['fields'][number]

const TITLE_COLUMNS = 100

async function listForms(options: Options & { limit: number }, environment: CliEnvironment): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const page = await parseResponse(server, endpoints.list, client.forms.list({ limit: options.limit }))
  if (options.json) return printData(page)
  if (page.items.length === 0) return printMessage('No open forms')
  for (const form of page.items) {
    print(style('bold', shorten(titleOf(form), TITLE_COLUMNS), process.stdout))
    print(`  ${form.id}  ${sanitize(form.projectName)}, expires ${timeText(form.expiresAt)}`)
  }
  if (page.nextCursor) printMessage('There are more. Use --limit.')
}

const titleOf = ({ title, content }: Form): string => title || content?.trim().split('\n', 1)[0] || 'Form'

async function showForm(ref: string, options: Options, environment: CliEnvironment): Promise<void> {
  const id = requireId(ref, 'form', 'forms ls')
  const { server, client } = await connect(options.server, environment)
  const form = await parseResponse(server, endpoints.get, client.forms.get({ id }))
  if (options.json) return printData(form)
  print(style('bold', sanitize(titleOf(form)), process.stdout))
  if (form.content) print(sanitizeLines(form.content))
  for (const field of form.fields) print(`  ${lineOf(field, form.answer)}`)
  printMessage(stateOf(server, form))
}

function lineOf({ key, label, type, options, required }: Field, answer: Form['answer']): string {
  const name = sanitize(label)
  if (answer) return `${name}: ${sanitize(textOf(answer[key]))}`
  const values = options ? options.map(sanitize).join(' | ') : type.replace('_', ' ')
  return `${key}=<${values}>  ${name}${required ? '' : ' (optional)'}`
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)

function stateOf(server: string, { state, answeredBy, answeredAt, expiresAt, canAnswer, id }: Form): string {
  if (state === 'answered')
    return `Answered ${timeText(answeredAt!)}${answeredBy ? ` by ${sanitize(answeredBy.name)}` : ''}`
  if (state === 'closed') return 'No longer open'
  if (!canAnswer) return 'Only the members this form asks can answer it'
  return `Expires ${timeText(expiresAt)}. Answer with \`npx atrium forms answer ${id}\`, or at ${server}/forms/${id}`
}

async function answerForm(
  ref: string,
  fields: readonly string[],
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const id = requireId(ref, 'form', 'forms ls')
  const { server, client } = await connect(options.server, environment)
  const form = await parseResponse(server, endpoints.get, client.forms.get({ id }))
  const answer = Object.fromEntries(fields.map((field) => readValue(field, form.fields)))
  const answered = await parseResponse(server, endpoints.answer, client.forms.answer({ id, answer }))
  if (options.json) return printData(answered)
  printMessage('Answered: the workflow continues')
}

/** The server checks the value. */
function readValue(text: string, fields: readonly Field[]): [key: string, value: unknown] {
  const at = text.indexOf('=')
  const [key, value] = [text.slice(0, at), text.slice(at + 1)]
  const field = at > 0 ? fields.find((each) => each.key === key) : undefined
  if (!field)
    throw new Failure(
      'usage',
      `${text} is not a field of this form`,
      `Use key=value with ${fields.map((each) => each.key).join(', ')}.`,
    )
  const parsed = field.type === 'number' || field.type === 'boolean' ? parseJson(value) : undefined
  return [key, parsed ?? value]
}
