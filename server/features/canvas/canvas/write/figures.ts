import { ARROWS, POINTS_MAX, SHAPES } from '../../../../../contract/canvas/block-fields.ts'
import { badField } from '../../../../errors.ts'
import type { BlockFields } from '../records.ts'

/** Every client draws shapes and drawings from their metadata, so it has to be complete. */
export function checkFigure({ type, metadata }: Pick<BlockFields, 'type' | 'metadata'>, field: string): void {
  if (type === 'shape') requireOneOf(SHAPES, metadata.shape, `${field}.metadata.shape`)
  if (type !== 'drawing') return
  if (metadata.arrows !== undefined) requireOneOf(ARROWS, metadata.arrows, `${field}.metadata.arrows`)
  const { points } = metadata
  if (!Array.isArray(points) || points.length < 2 || points.length > POINTS_MAX)
    throw badField(`${field}.metadata.points`, `must be 2 to ${POINTS_MAX} points`)
  const invalidIndex = points.findIndex((point) => !isPoint(point))
  if (invalidIndex >= 0)
    throw badField(`${field}.metadata.points.${invalidIndex}`, 'must be [x, y], two numbers from 0 to 1')
}

function requireOneOf(names: readonly string[], value: unknown, field: string): void {
  if (!names.includes(value as string)) throw badField(field, `must be one of ${names.join(', ')}`)
}

const isPoint = (point: unknown) =>
  Array.isArray(point) &&
  point.length === 2 &&
  point.every((part) => typeof part === 'number' && part >= 0 && part <= 1)
