import type { Shape } from './geometry.ts'

export type FigureTool = Shape | 'line' | 'arrow' | 'draw'
const FIGURE_TOOLS: readonly string[] = ['rectangle', 'ellipse', 'diamond', 'line', 'arrow', 'draw']

export const figureToolOf = (tool: string): FigureTool | undefined =>
  FIGURE_TOOLS.includes(tool) ? (tool as FigureTool) : undefined
