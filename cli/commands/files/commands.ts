import type { Command } from 'commander'
import { command, PARALLEL_MAX, parseParallel } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { get } from './get.ts'
import { listFiles, listTrash, searchFiles } from './list.ts'
import { makeFolders, moveFile, tagFile } from './organize.ts'
import { put } from './put.ts'
import { removeFiles, restoreFile } from './trash.ts'

const HELP = `
Paths:
  /Reports/q1.pdf  by name, from the root
  id:0199c0de-…    by id (see \`npx atrium files ls -l\`); required if a name repeats or contains a slash
  id:0199c0de-…/x  by name, below the folder with this id

Examples:
  npx atrium files put ./reports /Archive  upload to /Archive/reports; skips unchanged files
  npx atrium files get /Archive/reports    download to ./reports; skips unchanged files
  npx atrium files get /Archive/reports x  download to ./x; \`x/\` downloads to ./x/reports
  npx atrium files mv /draft.md /Archive/  move into a folder
`

/** Adds `atrium files`. */
export function addFileCommands(program: Command, environment: CliEnvironment): void {
  const files = program
    .command('files')
    .description('Upload, download and organize files')
    .addHelpText('after', HELP)
    .exitOverride()
  command(files, 'ls [path]', 'List a folder, folders first')
    .option('-l, --long', 'show ids and tags')
    .action((path, options) => listFiles(path, options, environment))
  command(files, 'search <text> [folder]', 'Search names in a folder and its subfolders').action(
    (text, folder, options) => searchFiles(text, folder, options, environment),
  )
  addTransfers(files, environment)
  command(files, 'mkdir <paths...>', 'Create folders')
    .option('-p, --parents', 'create missing parent folders; accept existing folders')
    .action((paths, options) => makeFolders(paths, options, environment))
  command(files, 'mv <from> <to>', 'Rename, or move into a folder').action((from, to, options) =>
    moveFile(from, to, options, environment),
  )
  command(files, 'tag <path> [tags...]', 'Replace the tags; without tags, remove all').action(
    (path, tags, options) => tagFile(path, tags, options, environment),
  )
  command(files, 'rm <paths...>', 'Move to the trash')
    .option('-r, --recursive', 'include folders and their contents')
    .action((paths, options) => removeFiles(paths, options, environment))
  command(files, 'trash', 'List the trash').action((options) => listTrash(options, environment))
  command(files, 'restore <item>', 'Restore from the trash by id, name or former path')
    .option('--to <folder>', 'restore to this folder')
    .action((ref, options) => restoreFile(ref, options, environment))
}

function addTransfers(files: Command, environment: CliEnvironment): void {
  command(files, 'put <local...>', 'Upload files and folders, by default to the root')
    .usage('[options] <local...> [remote folder]')
    .option('--parallel <count>', `parallel transfers, 1 to ${PARALLEL_MAX}`, parseParallel, 4)
    .option('--follow', 'follow symbolic links inside folders')
    .option('--keep', 'keep the previous version of a changed file instead of moving it to the trash')
    .action((paths, options) => put(paths, options, environment))
  command(files, 'get <remote> [local]', 'Download a file or folder')
    .option('--parallel <count>', `parallel transfers, 1 to ${PARALLEL_MAX}`, parseParallel, 4)
    .option('--force', 'replace local files that differ')
    .action((remote, local, options) => get(remote, local, options, environment))
}
