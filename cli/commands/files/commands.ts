import type { Command } from 'commander'
import { command, PARALLEL_MAX, parseParallel } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { get } from './get.ts'
import { listFiles, listTrash, searchFiles } from './list.ts'
import { makeFolders, moveFile, tagFile } from './organize.ts'
import { linkFile, listLinks, unlinkFile } from './public-links.ts'
import { put } from './put.ts'
import { emptyTrash, removeFiles, restoreFile } from './trash.ts'
import { listVersions, restoreVersion } from './versions.ts'

const HELP = `
Paths:
  /Reports/q1.pdf  by name, from the root
  id:0199c0de-…    by id (see \`npx atrium files ls -l\`); required if a name isn’t unique or contains a slash
  id:0199c0de-…/x  by name, below the folder with this id

Examples:
  npx atrium files put ./reports /Archive  upload to /Archive/reports; skips unchanged files
  npx atrium files get /Archive/reports    download to ./reports; skips unchanged files
  npx atrium files get /Archive/reports x  download to ./x; \`x/\` downloads to ./x/reports
  npx atrium files mv /draft.md /Archive/  move into a folder
`

export function addFileCommands(program: Command, environment: CliEnvironment): void {
  const files = program
    .command('files')
    .description('Upload, download and organize files')
    .addHelpText('after', HELP)
    .exitOverride()
  command(files, 'ls [path]', 'List a folder, folders first')
    .option('-l, --long', 'show ids and tags')
    .action((path, options) => listFiles(path, options, environment))
  command(files, 'search <text> [folder]', 'Search file names in a folder and its subfolders').action(
    (text, folder, options) => searchFiles(text, folder, options, environment),
  )
  addTransfers(files, environment)
  addPublicLinks(files, environment)
  command(files, 'mkdir <paths...>', 'Create folders')
    .option('-p, --parents', 'create missing parent folders; accept existing folders')
    .action((paths, options) => makeFolders(paths, options, environment))
  command(files, 'mv <from> <to>', 'Rename a file, or move it into a folder').action((from, to, options) =>
    moveFile(from, to, options, environment),
  )
  command(files, 'tag <path> [tags...]', 'Replace a file’s tags; without tags, remove them all').action(
    (path, tags, options) => tagFile(path, tags, options, environment),
  )
  command(files, 'rm <paths...>', 'Move to the trash')
    .option('-r, --recursive', 'include folders with their contents')
    .action((paths, options) => removeFiles(paths, options, environment))
  command(files, 'trash', 'List the trash').action((options) => listTrash(options, environment))
  command(files, 'empty-trash', 'Show the trash size, and empty it in the browser')
    .option('--no-browser', 'print the URL without opening it')
    .option('--wait', 'wait until the trash is empty (default in a terminal)')
    .option('--no-wait', 'return immediately')
    .action((options) => emptyTrash(options, environment))
  command(files, 'restore <item>', 'Restore from the trash by id, name or former path')
    .option('--to <folder>', 'restore to this folder')
    .option('--version <number>', 'restore this version; the file must not be in the trash')
    .action((ref, { version, ...options }) =>
      version === undefined
        ? restoreFile(ref, options, environment)
        : restoreVersion(ref, version, options, environment),
    )
  command(files, 'versions <path>', 'List a file’s versions, newest first').action((path, options) =>
    listVersions(path, options, environment),
  )
}

function addPublicLinks(files: Command, environment: CliEnvironment): void {
  command(files, 'link <path>', 'Create a public link to a file or folder')
    .option('--days <count>', 'expire after this many days')
    .option('--password', 'ask for a password, or read it from stdin')
    .action((path, options) => linkFile(path, options, environment))
  command(
    files,
    'links [path]',
    'List a file’s public links, or the whole organization’s without a path',
  ).action((path, options) => listLinks(path, options, environment))
  command(
    files,
    'unlink <path> [link]',
    'Revoke a public link by id, or all links to the file without an id',
  ).action((path, link, options) => unlinkFile(path, link, options, environment))
}

function addTransfers(files: Command, environment: CliEnvironment): void {
  command(files, 'put <local...>', 'Upload files and folders (default: to the root)')
    .usage('[options] <local...> [remote folder]')
    .option('--parallel <count>', `parallel transfers, 1 to ${PARALLEL_MAX}`, parseParallel, 4)
    .option('--follow', 'follow symbolic links inside folders')
    .option('--keep', 'create a second file of the same name instead of a new version of a changed file')
    .action((paths, options) => put(paths, options, environment))
  command(files, 'get <remote> [local]', 'Download a file or folder')
    .option('--parallel <count>', `parallel transfers, 1 to ${PARALLEL_MAX}`, parseParallel, 4)
    .option('--force', 'replace local files that differ')
    .action((remote, local, options) => get(remote, local, options, environment))
}
