import type { Command } from 'commander'
import { templates as endpoints } from '../../../contract/projects/templates.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { canConfirm, confirm, print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { findProject } from './projects/find.ts'

interface Options {
  server?: string
  json?: boolean
}

const HELP = `
<template> is an id.

Examples:
  npx atrium projects new "Week 12" --template weekly-report
  npx atrium templates save launch-plan --name "Launch" --description "How we launch"
`

export function addTemplateCommands(program: Command, environment: CliEnvironment): void {
  const templates = program
    .command('templates')
    .description('List, save and delete project templates')
    .addHelpText('after', HELP)
    .exitOverride()
  command(templates, 'ls', 'List your organization’s templates and the ones Atrium ships').action((options) =>
    listTemplates(options, environment),
  )
  command(templates, 'save <project>', 'Save a project as a template for the organization')
    .option('--name <name>', 'template name (default: the project name)')
    .option('--description <text>', 'what the template is for')
    .action((ref, options) => saveTemplate(ref, options, environment))
  command(templates, 'rm <template>', 'Delete a template; projects created from it are kept')
    .option('--yes', 'skip the confirmation')
    .action((id, options) => removeTemplate(id, options, environment))
}

async function listTemplates(options: Options, environment: CliEnvironment): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const { items } = await parseResponse(server, endpoints.list, client.templates.list())
  if (options.json) return printData({ items })
  printTable([
    ['ID', 'NAME', 'BLOCKS', 'FROM', 'DESCRIPTION'],
    ...items.map(({ id, name, emoji, blockCount, createdBy, description }) => [
      id,
      sanitize(emoji ? `${emoji} ${name}` : name),
      String(blockCount),
      createdBy ? sanitize(createdBy.name) : 'Atrium',
      sanitize(description ?? ''),
    ]),
  ])
}

async function saveTemplate(
  ref: string,
  options: Options & { name?: string; description?: string },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id: projectId } = await findProject(connection, ref)
  const { name, description } = options
  const idempotencyKey = crypto.randomUUID()
  const saved = await parseResponse(
    server,
    endpoints.create,
    client.templates.create({ projectId, name, description }, { idempotencyKey }),
  )
  if (options.json) return printData(saved)
  print(`${saved.id}  ${sanitize(saved.name)}`)
}

async function removeTemplate(
  id: string,
  options: Options & { yes?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  if (!options.yes) {
    if (options.json || !canConfirm())
      throw new Failure('usage', `This deletes the template ${id} for everyone`, 'Use --yes to confirm.')
    await confirm(`Delete the template ${sanitize(id)} for everyone?`)
  }
  const { server, client } = await connect(options.server, environment)
  const removed = await parseResponse(server, endpoints.remove, client.templates.remove({ id }))
  if (options.json) return printData(removed)
  printMessage(`Deleted the template ${sanitize(id)}`)
}
