import type { Command } from 'commander'
import { command, count, PARALLEL_MAX } from '../../command.ts'
import type { Surroundings } from '../../config.ts'
import { makeFolders, moveFile, tagFile } from './arrange.ts'
import { get } from './get.ts'
import { listFiles, listTrash, searchFiles } from './list.ts'
import { put } from './put.ts'
import { removeFiles, restoreFile } from './trash.ts'

const HELP = `
Paths:
  /Reports/q1.pdf  by name, from the root; each name exactly as it is
  id:0199c0de-…    by id, which \`atrium files ls -l\` shows; the only way where names repeat or contain a slash
  id:0199c0de-…/x  by name, from a folder given by its id

Examples:
  atrium files put ./reports /Archive     the folder becomes /Archive/reports; run it again, and only changes are sent
  atrium files get /Archive/reports       comes to ./reports; what is here already is not fetched again
  atrium files mv /draft.md /Archive/     into a folder, under the same name
`

/** The commands for files, as `atrium files`. */
export function addFileCommands(program: Command, around: Surroundings): void {
  const files = program
    .command('files')
    .description('Files and folders: send, fetch, arrange')
    .addHelpText('after', HELP)
    .exitOverride()
  command(files, 'ls [path]', 'List a folder, folders first')
    .option('-l, --long', 'with ids and tags')
    .action((path, options) => listFiles(path, options, around))
  command(files, 'search <text> [folder]', 'Find by a part of the name, in a folder and all below it').action(
    (text, folder, options) => searchFiles(text, folder, options, around),
  )
  addTransfers(files, around)
  command(files, 'mkdir <paths...>', 'Make folders')
    .option('-p, --parents', 'make what is missing on the way, and do not mind what is there')
    .action((paths, options) => makeFolders(paths, options, around))
  command(files, 'mv <from> <to>', 'Rename, or move into a folder').action((from, to, options) =>
    moveFile(from, to, options, around),
  )
  command(files, 'tag <path> [tags...]', 'Set the tags; without any, remove them').action(
    (path, tags, options) => tagFile(path, tags, options, around),
  )
  command(files, 'rm <paths...>', 'Move to the trash')
    .option('-r, --recursive', 'folders too, with everything in them')
    .action((paths, options) => removeFiles(paths, options, around))
  command(files, 'trash', 'List what can be restored').action((options) => listTrash(options, around))
  command(files, 'restore <id>', 'Bring back from the trash, given by its id, its name, or the path it had')
    .option('--to <folder>', 'to this folder instead of where it was')
    .action((which, options) => restoreFile(which, options, around))
}

function addTransfers(files: Command, around: Surroundings): void {
  command(
    files,
    'put <local...>',
    'Send files and folders into a remote folder, the root unless one is named',
  )
    .usage('[options] <local...> [remote folder]')
    .option('--parallel <count>', `how many at a time, 1 to ${PARALLEL_MAX}`, count, 4)
    .option('--follow', 'follow symbolic links within folders')
    .option(
      '--keep',
      'keep the former version of a changed file beside it, instead of moving it to the trash',
    )
    .action((paths, options) => put(paths, options, around))
  command(files, 'get <remote> [local]', 'Fetch a file or a folder')
    .option('--parallel <count>', `how many at a time, 1 to ${PARALLEL_MAX}`, count, 4)
    .option('--force', 'replace local files that differ')
    .action((remote, local, options) => get(remote, local, options, around))
}
