import type { Command } from 'commander'
import { command, count, PARALLEL_MAX } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { createProject } from './create.ts'
import { exportProject } from './export.ts'
import { listProjects } from './list.ts'
import { openProject } from './open.ts'
import { restoreProject } from './restore.ts'

const HELP = `
Address projects by slug (see \`atrium projects ls\`), id or name.

Examples:
  atrium projects new "Launch plan" --emoji 🚀
  atrium projects export launch-plan ~/backups   to ~/backups/launch-plan; repeated, it downloads changes only
  atrium projects restore ~/backups/launch-plan  creates a new project with its files
  atrium projects restore ~/backups/launch-plan launch-plan --dry-run    shows the plan only
  atrium projects restore ~/backups/launch-plan launch-plan --replace    also removes blocks added since
`

/** Adds `atrium projects`. */
export function addProjectCommands(program: Command, environment: CliEnvironment): void {
  const projects = program
    .command('projects')
    .description('List, create, open, export and restore projects')
    .addHelpText('after', HELP)
    .exitOverride()
  command(projects, 'ls', 'List projects, newest first')
    .option('--status <status>', 'active, archived or completed')
    .option('--search <text>', 'part of the name')
    .option('--workspace <workspace>', 'projects of this workspace (name or id)')
    .option('--tag <tag>', 'projects with this tag')
    .action((options) => listProjects(options, environment))
  command(projects, 'new [name]', 'Create a project; without a name, a model names it from the description')
    .option('--description <text>', 'description')
    .option('--prompt <text>', 'project-wide system prompt')
    .option('--emoji <emoji>', 'emoji')
    .option('--private', 'visible to you only')
    .action((name, options) => createProject(name, options, environment))
  command(projects, 'open <project>', 'Open its canvas in the browser')
    .option('--no-browser', 'print the URL only')
    .action((which, options) => openProject(which, options, environment))
  addBackups(projects, environment)
}

function addBackups(projects: Command, environment: CliEnvironment): void {
  command(projects, 'export <project> [folder]', 'Download the manifest and files')
    .option('--parallel <count>', `parallel transfers, 1 to ${PARALLEL_MAX}`, count, 4)
    .option('--canvas', 'also write the canvas as JSON Canvas')
    .option('--force', 'replace local files that differ')
    .action((which, folder, options) => exportProject(which, folder, options, environment))
  command(projects, 'restore <folder> [project]', 'Restore an export into a project or a new one')
    .option('--dry-run', 'show the plan only')
    .option('--replace', 'also remove blocks and edges missing from the export; files are never removed')
    .option('--private', 'make the new project visible to you only')
    .option('--yes', 'skip the confirmation')
    .option('--parallel <count>', `parallel transfers, 1 to ${PARALLEL_MAX}`, count, 4)
    .action((folder, which, options) => restoreProject(folder, which, options, environment))
}
