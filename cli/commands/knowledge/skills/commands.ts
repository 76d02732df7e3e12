import type { Command } from 'commander'
import { command, LIMIT_DEFAULT, parseLimit } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { importSkill, removeSkill } from './change.ts'
import { exportSkill } from './export.ts'
import { listSkills, showSkill } from './list.ts'

const HELP = `
<skill> is a name or an id. Agents follow the text of a skill, so skills are changed in the browser: import and rm
print the URL of the page.

Examples:
  npx atrium skills ls
  npx atrium skills show release-notes --file references/style.md
  npx atrium skills export release-notes
  npx atrium skills import release-notes.zip
`

/** Adds `atrium skills`. */
export function addSkillCommands(program: Command, environment: CliEnvironment): void {
  const skills = program
    .command('skills')
    .description('List, show, check and export the skills of agents')
    .addHelpText('after', HELP)
    .exitOverride()
  command(skills, 'ls', 'List skills by name')
    .option('--search <text>', 'part of the name or the description')
    .option('--limit <count>', 'skills to list, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listSkills(options, environment))
  command(skills, 'show <skill>', 'Show the instructions of a skill, or one of its files')
    .option('--file <path>', 'a file of the skill')
    .action((ref, options) => showSkill(ref, options, environment))
  command(skills, 'export <skill>', 'Write a skill to a zip file')
    .option('--output <file>', 'the zip file; default: the name of the skill')
    .action((ref, options) => exportSkill(ref, options, environment))
  command(
    skills,
    'import <file>',
    'Check a zip file, show its contents, and print the URL of the page that imports it',
  ).action((file, options) => importSkill(file, options, environment))
  command(skills, 'rm <skill>', 'Print the URL of the page that deletes a skill').action((ref, options) =>
    removeSkill(ref, options, environment),
  )
}
