import { z } from 'zod'

/** How many items of a list the model requests. */
export const limit = (max: number, fallback = 20) =>
  z.int().min(1).max(max).default(Math.min(fallback, max)).describe('How many to return')

/** The id of something at a provider: one segment of a path. */
export const id = (description: string) => z.string().trim().min(1).max(200).describe(description)
