import type { Command } from 'commander'
import { command, LIMIT_DEFAULT, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { addComment, listComments, resolveComment } from './comments.ts'
import { listNotifications } from './notifications.ts'

const HELP = `
A target is block:<id>, file:<id> or run:<id>. @[<user id>] in a text mentions a member.

Examples:
  npx atrium comments list file:0199…                     the open threads of a file
  npx atrium comments add run:0199… 'Please check this'   a new thread
  npx atrium comments add run:0199… --reply 0199… 'Done'  a reply to the thread with this id
  npx atrium comments resolve 0199…                       resolve the thread; --reopen opens it again
`

/** Adds `atrium comments` and `atrium notifications`. */
export function addCommentCommands(program: Command, environment: CliEnvironment): void {
  const comments = program
    .command('comments')
    .description('List, add and resolve comments on blocks, files and runs')
    .addHelpText('after', HELP)
    .exitOverride()
  const project = '--project <project>'
  const projectDescription = 'the project of a block (slug, id or name), if several have a block with this id'
  command(comments, 'list <target>', 'List the open threads of a block, a file or a run, oldest first')
    .alias('ls')
    .option('--all', 'resolved threads too')
    .option(project, projectDescription)
    .action((target, options) => listComments(target, options, environment))
  command(comments, 'add <target> <text>', 'Add a comment')
    .option('--reply <thread>', 'reply to the thread with this id')
    .option(project, projectDescription)
    .action((target, text, options) => addComment(target, text, options, environment))
  command(comments, 'resolve <thread>', 'Resolve a thread')
    .option('--reopen', 'reopen it instead')
    .action((id, options) => resolveComment(id, options, environment))
  command(program, 'notifications', 'List your notifications, newest first')
    .option('--unread', 'unread notifications only')
    .option('--read', 'mark the listed notifications as read')
    .option('--limit <count>', 'notifications to list, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listNotifications(options, environment))
}
