import * as katex from 'katex'
import { createElement, type ReactNode } from 'react'
import { FORMULA_UNITS_MAX } from '../../../markdown/math.ts'

/**
 * Reads TeX with KaTeX and builds MathML elements from its tree, so no text becomes markup and the page's policy needs no
 * inline styles. Null if the source isn't valid, or too long or deep.
 */
export function readFormula(tex: string, isDisplay: boolean): ReactNode | null {
  if (tex.length > FORMULA_UNITS_MAX) return null
  try {
    const tree = renderToDomTree(tex, {
      output: 'mathml',
      displayMode: isDisplay,
      throwOnError: true,
      strict: 'ignore',
      // No links, images or HTML attributes.
      trust: false,
      maxExpand: EXPANSIONS_MAX,
      macros: limitTokens(),
      maxSize: SIZE_MAX_EM,
    })
    return toElement(findMath(tree), 0, 0)
  } catch {
    return null
  }
}

const EXPANSIONS_MAX = 500
/** A formula without macros has fewer than its characters. */
const TOKENS_MAX = 10_000
const SIZE_MAX_EM = 20
const DEPTH_MAX = 100

/**
 * KaTeX limits how many macros it expands, but not to how much: two kilobytes would become a million elements. It looks
 * up every token here.
 */
function limitTokens(): Record<string, string> {
  let left = TOKENS_MAX
  return new Proxy<Record<string, string>>(
    {},
    {
      getOwnPropertyDescriptor(macros, name) {
        if (left-- === 0) throw new Error('Too many tokens')
        return Reflect.getOwnPropertyDescriptor(macros, name)
      },
    },
  )
}

/** What `katex.render` uses; its types don't list it. */
const renderToDomTree = (katex as unknown as { __renderToDomTree: RenderToDomTree }).__renderToDomTree
type RenderToDomTree = (tex: string, options: katex.KatexOptions) => Tree

interface Tree {
  /** A MathML element's name; texts, spaces and HTML elements have none. */
  type?: string
  attributes?: Record<string, string>
  /** A table cell's. */
  align?: string
  children?: Tree[]
  text?: string
  /** A space as a character, or else its width in em. */
  character?: string | null
  width?: number
}

function findMath(tree: Tree): Tree {
  if (tree.type === 'math') return tree
  const [child] = tree.children ?? []
  if (!child) throw new Error('No formula')
  return findMath(child)
}

function toElement(tree: Tree, key: number, depth: number): ReactNode {
  if (depth > DEPTH_MAX) throw new Error('Nested too deeply')
  if (tree.text !== undefined) return tree.text
  if (tree.type === undefined)
    return tree.character ?? createElement('mspace', { key, width: `${tree.width}em` })
  if (!ELEMENTS.has(tree.type)) return null
  const attributes = Object.entries(tree.attributes ?? {}).filter(([name]) => ATTRIBUTES.has(name))
  const children = joinTexts(alignCells(tree).children ?? []).map((child, index) =>
    toElement(child, index, depth + 1),
  )
  const className = tree.align && ALIGNMENTS[tree.align]
  return createElement(tree.type, { key, className, ...Object.fromEntries(attributes) }, ...children)
}

const ALIGNMENTS: Record<string, string> = { left: 'text-left', right: 'text-right' }

/** Browsers ignore a table's `columnalign`. */
function alignCells(tree: Tree): Tree {
  const aligns = tree.type === 'mtable' ? tree.attributes?.columnalign?.split(' ') : undefined
  if (!aligns) return tree
  const alignRow = (row: Tree): Tree => ({
    ...row,
    children: row.children?.map((cell, column) => ({ ...cell, align: aligns[column] ?? aligns.at(-1) })),
  })
  return { type: tree.type, children: tree.children?.map(alignRow) }
}

/** Screen readers read each text node as a word. */
function joinTexts(children: Tree[]): Tree[] {
  const joined: Tree[] = []
  for (const child of children) {
    const last = joined.at(-1)
    if (child.text !== undefined && last?.text !== undefined) {
      joined[joined.length - 1] = { text: last.text + child.text }
    } else joined.push(child)
  }
  return joined
}

/** Without `annotation`, `mglyph` and `maction`. */
const ELEMENTS = new Set(
  'math semantics mrow mi mn mo mtext mspace ms msub msup msubsup munder mover munderover mfrac msqrt mroot mstyle mtable mtr mtd mlabeledtr mpadded mphantom menclose merror mmultiscripts mprescripts none'.split(
    ' ',
  ),
)
/** Without `style`, `class`, `href` and `src`. */
const ATTRIBUTES = new Set(
  'accent accentunder columnalign columnlines columnspacing depth display displaystyle fence height largeop linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize notation rowlines rowspacing rspace scriptlevel separator stretchy valign voffset width'.split(
    ' ',
  ),
)
