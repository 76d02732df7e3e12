import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** Null is an empty folder. */
export type Tree = Record<string, string | null>

export async function writeTree(folder: string, tree: Tree): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    const target = join(folder, path)
    await mkdir(content === null ? target : dirname(target), { recursive: true })
    if (content !== null) await writeFile(target, content)
  }
}

/** Includes hidden files. */
export async function readTree(folder: string): Promise<Tree> {
  const tree: Tree = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) tree[relative(folder, path)] = await readFile(path, 'utf8')
    else if ((await readdir(path)).length === 0) tree[relative(folder, path)] = null
  }
  return tree
}

export function sixtyFiles(): Tree {
  const tree: Tree = {
    '.hidden': 'hidden',
    'empty.txt': '',
    'empty folder': null,
    'Berichte/Größe – 日本語 🎉.txt': 'Unicode',
    'Berichte/.config/settings.json': '{}',
    'Berichte/it’s "quoted" & 100%22.txt': 'quotes',
    'Berichte/back\\slash #1?.txt': 'symbols',
    'Berichte/ends with dot.': 'dot',
    'Berichte/e\u0301.txt': 'decomposed',
    [`Berichte/${'x'.repeat(251)}.txt`]: 'long',
  }
  for (let count = Object.keys(tree).length - 1; count < 60; count++)
    tree[`data/${count % 7}/file ${count}.md`] = `# ${count}\n`.repeat(count * 50)
  return tree
}
