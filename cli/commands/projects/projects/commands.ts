import { type Command, Option } from 'commander'
import { canvas } from '../../../../contract/canvas/canvas.ts'
import { favourites } from '../../../../contract/projects/favourites.ts'
import { PROJECT_SORTS } from '../../../../contract/projects/list-options.ts'
import { command, PARALLEL_MAX, parseParallel } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, LONG_TIMEOUT_MS, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { openBrowser } from '../../../page.ts'
import { canConfirm, confirm, print, printData, printMessage, sanitize } from '../../../terminal.ts'
import { createProject, createSample } from './create.ts'
import { exportProject } from './export.ts'
import { findProject, projectUrl } from './find.ts'
import { listProjects } from './list.ts'
import { restoreProject } from './restore.ts'
import { listTrash, removeProject, undeleteProject } from './trash.ts'

const HELP = `
<project> is a slug (see \`npx atrium projects ls\`), an id or a name.

Examples:
  npx atrium projects new "Launch plan" --emoji 🚀
  npx atrium projects new "Week 12" --template weekly-report
  npx atrium projects ls --favorites --sort updated
  npx atrium projects export launch-plan ~/backups                         export to ~/backups/launch-plan; skips unchanged files
  npx atrium projects restore ~/backups/launch-plan                        restore into a new project
  npx atrium projects restore ~/backups/launch-plan launch-plan --dry-run  show the plan only
  npx atrium projects restore ~/backups/launch-plan launch-plan --replace  also remove blocks, tables and rows that aren’t in the export
`

export function addProjectCommands(program: Command, environment: CliEnvironment): void {
  const projects = program
    .command('projects')
    .description('List, create, open, star, delete, export and restore projects')
    .addHelpText('after', HELP)
    .exitOverride()
  command(projects, 'ls', 'List projects, newest first')
    .option('--status <status>', 'only projects with this status: active, archived or completed')
    .option('--search <text>', 'only projects whose name contains this text')
    .option('--workspace <workspace>', 'only projects in this workspace (name or id)')
    .option('--tag <tag>', 'only projects with this tag')
    .option('--favorites', 'only your favorites')
    .addOption(new Option('--favourites').hideHelp())
    .option('--sort <order>', `by ${PROJECT_SORTS.join(', ')}`)
    .option('--order <direction>', 'asc or desc')
    .action((options) => listProjects(options, environment))
  command(projects, 'new [name]', 'Create a project; without a name, a model picks one from the description')
    .alias('create')
    .option('--description <text>', 'description')
    .option('--prompt <text>', 'project-wide system prompt')
    .option('--emoji <emoji>', 'emoji')
    .option('--private', 'make it visible only to you')
    .option('--template <template>', 'start from this template (see `npx atrium templates ls`)')
    .option('--from <project>', 'start from a copy of this project’s canvas')
    .action((name, options) => createProject(name, options, environment))
  command(
    projects,
    'sample',
    'Create a sample project with a canvas, a file, an agent and a conversation',
  ).action((options) => createSample(options, environment))
  command(projects, 'open <project>', 'Open a project’s canvas in the browser')
    .option('--no-browser', 'print the URL only')
    .action((ref, options) => openProject(ref, options, environment))
  command(projects, 'star <project>', 'Add a project to your favorites').action((ref, options) =>
    starProject(ref, true, options, environment),
  )
  command(projects, 'unstar <project>', 'Remove a project from your favorites').action((ref, options) =>
    starProject(ref, false, options, environment),
  )
  addTrash(projects, environment)
  addHistory(projects, environment)
  addBackups(projects, environment)
}

function addTrash(projects: Command, environment: CliEnvironment): void {
  command(projects, 'rm <project>', 'Move a project to the trash; it is purged after 30 days')
    .option('--yes', 'skip the confirmation')
    .action((ref, options) => removeProject(ref, options, environment))
  command(projects, 'trash', 'List deleted projects').action((options) => listTrash(options, environment))
  command(projects, 'undelete <project>', 'Restore a deleted project').action((ref, options) =>
    undeleteProject(ref, options, environment),
  )
}

function addHistory(projects: Command, environment: CliEnvironment): void {
  command(projects, 'prune <project>', 'Prune canvas history; snapshots are kept')
    .option(
      '--before <time>',
      'prune changes before this time, or older than a number of days such as 30d',
      '30d',
    )
    .option('--yes', 'skip the confirmation')
    .action((ref, options) => pruneHistory(ref, options, environment))
}

function addBackups(projects: Command, environment: CliEnvironment): void {
  command(projects, 'export <project> [folder]', 'Download a project’s manifest and files')
    .option('--parallel <count>', `parallel transfers, 1 to ${PARALLEL_MAX}`, parseParallel, 4)
    .option('--canvas', 'also write the canvas as JSON Canvas')
    .option('--no-tables', 'leave out tables, such as ones that are too large')
    .option('--force', 'replace local files that differ')
    .action((ref, folder, options) => exportProject(ref, folder, options, environment))
  command(projects, 'restore <folder> [project]', 'Restore an export into an existing or new project')
    .option('--dry-run', 'only show the plan')
    .option(
      '--replace',
      'also remove blocks, edges, tables and rows that aren’t in the export; never removes files',
    )
    .option('--private', 'make the new project visible only to you')
    .option('--yes', 'skip the confirmation')
    .option('--parallel <count>', `parallel transfers, 1 to ${PARALLEL_MAX}`, parseParallel, 4)
    .action((folder, ref, options) => restoreProject(folder, ref, options, environment))
}

interface OpenOptions {
  server?: string
  json?: boolean
  browser?: boolean
}

async function openProject(ref: string, options: OpenOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const project = await findProject(connection, ref)
  const url = projectUrl(connection.server, project)
  if (options.json) return printData({ id: project.id, slug: project.slug, address: url })
  print(url)
  if (options.browser !== false) openBrowser(url)
}

async function starProject(
  ref: string,
  isFavourite: boolean,
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id, name } = await findProject(connection, ref)
  const result = isFavourite
    ? await parseResponse(server, favourites.add, client.favourites.add({ id }))
    : await parseResponse(server, favourites.remove, client.favourites.remove({ id }))
  if (options.json) return printData(result)
  printMessage(
    isFavourite
      ? `Added ${sanitize(name)} to your favorites`
      : `Removed ${sanitize(name)} from your favorites`,
  )
}

interface PruneOptions {
  server?: string
  json?: boolean
  before: string
  yes?: boolean
}

const DAY_MS = 86_400_000

async function pruneHistory(ref: string, options: PruneOptions, environment: CliEnvironment): Promise<void> {
  const before = parseBefore(options.before)
  const connection = await connect(options.server, environment, LONG_TIMEOUT_MS)
  const { server, client } = connection
  const { id, slug, name } = await findProject(connection, ref)
  const question = `Prune the history of "${sanitize(name)}" (${slug}) before ${before}? Only snapshots are kept.`
  if (!options.yes) {
    if (options.json || !canConfirm()) throw new Failure('usage', question, 'Use --yes to confirm.')
    await confirm(question)
  }
  const call = client.canvas.prune({ projectId: id, before })
  const result = await parseResponse(server, canvas.prune, call)
  if (options.json) return printData(result)
  const entries = result.removed === 1 ? '1 entry' : `${result.removed} entries`
  printMessage(`Removed ${entries}, freed ${result.bytes} bytes`)
}

/** Accepts days such as `30d`, or a time. */
function parseBefore(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const time = days === undefined ? Date.parse(text) : Date.now() - Number(days) * DAY_MS
  if (Number.isNaN(time))
    throw new Failure('usage', `Invalid time ${text}: use days such as 30d, or a date such as 2027-01-31`)
  return new Date(time).toISOString()
}
