import type { CSSProperties } from 'react'
import { t } from '../../../../contract/text.ts'
import { arrowheadPath, drawingPath, readPoints, readShape, shapePath } from '../model/figures.ts'
import { colorTone, tintOf } from '../model/tones.ts'
import type { BodyProps } from './body-props.ts'
import { TextEditor } from './text-editor.tsx'

export function ShapeBody({ block, editing }: BodyProps) {
  const { width, height, content } = block
  const { fill, stroke } = figureColors(block.color)
  return (
    <>
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible"
      >
        <path
          d={shapePath(readShape(block), width, height)}
          style={{ fill, stroke }}
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {/* A diamond has room for text only in the middle half. */}
      <div
        className={`relative flex size-full items-center justify-center overflow-hidden text-center ${readShape(block) === 'rectangle' ? 'p-12' : 'px-[15%] py-12'}`}
      >
        {editing ? (
          <TextEditor
            block={block}
            field={editing === 'title' ? 'title' : 'content'}
            label={editing === 'title' ? t`Shape name` : t`Shape text`}
            multiline={editing !== 'title'}
            className="text-center"
          />
        ) : (
          <p className="max-h-full whitespace-pre-wrap break-words">{content}</p>
        )}
      </div>
    </>
  )
}

/** Only the line itself takes clicks. A name appears below it. */
export function DrawingBody({ block, editing }: BodyProps) {
  const points = readPoints(block)
  const path = drawingPath(points)
  const { width, height, title, metadata } = block
  return (
    <>
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible"
        style={{ color: figureColors(block.color).line }}
      >
        <path d={path} className="canvas-drawing-hit" />
        <path d={path} className="canvas-drawing" vectorEffect="non-scaling-stroke" />
        <path d={arrowheadPath(points, metadata.arrows)} fill="currentColor" />
      </svg>
      {(editing || title) && (
        <div className="pointer-events-auto absolute top-full left-1/2 w-max min-w-status max-w-filter -translate-x-1/2 pt-4 text-center text-12 text-neutral-11">
          {editing ? (
            <TextEditor block={block} field="title" label="Drawing name" className="h-24 text-center" />
          ) : (
            title
          )}
        </div>
      )}
    </>
  )
}

interface FigureColors extends CSSProperties {
  fill: string
  stroke: string
  line: string
}

export function figureColors(color: string | null): FigureColors {
  const tone = colorTone(color)
  if (tone)
    return {
      fill: tintOf(tone),
      stroke: `var(--color-${tone})`,
      line: `var(--color-${tone})`,
    }
  const customColor = color?.startsWith('#') ? color : undefined
  return {
    fill: 'var(--color-card)',
    stroke: customColor ?? 'var(--color-neutral-9)',
    line: customColor ?? 'var(--color-neutral-12)',
  }
}
