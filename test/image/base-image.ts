import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const MIRROR = 'http://deb.debian.org/debian'

/**
 * Makes an image with the name of the base image if no registry can be reached: Debian's packages, the Node of this
 * process, npm, and the user `node`, which the Containerfile takes from the base.
 */
export function makeBaseImage(name: string, folder: string): void {
  const root = join(folder, 'root')
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: 'inherit', cwd: folder })
  run('mmdebstrap', '--quiet', '--variant=minbase', 'bookworm', root, MIRROR)
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  run('npm', 'pack', 'npm@11', '--silent')
  const npm = join(root, 'usr/local/lib/node_modules/npm')
  mkdirSync(npm, { recursive: true })
  const archive = readdirSync(folder).find((file) => file.startsWith('npm-'))!
  run('tar', '-xzf', archive, '-C', npm, '--strip-components=1')
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
  run('chroot', root, 'useradd', '--uid', '1000', '--create-home', 'node')
  // The certificates that this machine trusts: a proxy between it and the registry of npm may have its own.
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env
  if (certificates) copyFileSync(certificates, join(root, 'usr/local/lib/certificates.pem'))
  const container = execFileSync('buildah', ['from', 'scratch'], { encoding: 'utf8' }).trim()
  run('buildah', 'add', '--quiet', container, root, '/')
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  run('buildah', 'config', '--env', `PATH=${path}`, container)
  if (certificates)
    run('buildah', 'config', '--env', 'NODE_EXTRA_CA_CERTS=/usr/local/lib/certificates.pem', container)
  run('buildah', 'commit', '--quiet', '--rm', container, name)
}
