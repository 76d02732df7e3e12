import type { Command } from 'commander'
import { command, count, PARALLEL_MAX } from '../../command.ts'
import type { Surroundings } from '../../config.ts'
import { createProject } from './create.ts'
import { exportProject } from './export.ts'
import { listProjects } from './list.ts'
import { openProject } from './open.ts'
import { restoreProject } from './restore.ts'

const HELP = `
Projects are named by their slug, which \`atrium projects ls\` shows, by their id, or by their name.

Examples:
  atrium projects new "Launch plan" --emoji 🚀
  atrium projects export launch-plan ~/backups   to ~/backups/launch-plan; run it again, and only changes are fetched
  atrium projects restore ~/backups/launch-plan  makes a new project, its files included
  atrium projects restore ~/backups/launch-plan launch-plan --dry-run    shows what would change, and changes nothing
  atrium projects restore ~/backups/launch-plan launch-plan --replace    also removes blocks that came later
`

/** The commands for projects, as `atrium projects`. */
export function addProjectCommands(program: Command, around: Surroundings): void {
  const projects = program
    .command('projects')
    .description('Projects: list, make, open, back up, restore')
    .addHelpText('after', HELP)
    .exitOverride()
  command(projects, 'ls', 'List projects, the newest first')
    .option('--status <status>', 'active, archived or completed')
    .option('--search <text>', 'a part of the name')
    .option('--workspace <workspace>', 'at home in this workspace or shared into it, by name or id')
    .option('--tag <tag>', 'with this tag')
    .action((options) => listProjects(options, around))
  command(projects, 'new [name]', 'Make a project; without a name, one is found from the description')
    .option('--description <text>', 'what it is about')
    .option('--prompt <text>', 'what everything that works in it is told')
    .option('--emoji <emoji>', 'its sign')
    .option('--private', 'for your eyes only')
    .action((name, options) => createProject(name, options, around))
  command(projects, 'open <project>', 'Open its canvas in the browser')
    .option('--no-browser', 'only print the address')
    .action((which, options) => openProject(which, options, around))
  addBackups(projects, around)
}

function addBackups(projects: Command, around: Surroundings): void {
  command(projects, 'export <project> [folder]', 'Write its manifest and its files into a folder of its name')
    .option('--parallel <count>', `how many files at a time, 1 to ${PARALLEL_MAX}`, count, 4)
    .option('--canvas', 'also write the canvas as JSON Canvas, which other whiteboards read')
    .option('--force', 'replace local files that differ')
    .action((which, folder, options) => exportProject(which, folder, options, around))
  command(projects, 'restore <folder> [project]', 'Bring an exported project back, or make a new one of it')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--replace', 'also remove blocks and connections that the export lacks; files are never removed')
    .option('--private', 'a new project is for your eyes only: who may see it is no part of an export')
    .option('--yes', 'do not ask before a project is changed')
    .option('--parallel <count>', `how many files at a time, 1 to ${PARALLEL_MAX}`, count, 4)
    .action((folder, which, options) => restoreProject(folder, which, options, around))
}
