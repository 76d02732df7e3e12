/**
 * Options and limits of the lists of projects. Plain data without schemas: the server validates against them, the
 * dashboard and the CLI show them.
 */

export const PROJECT_SORTS = ['created', 'updated', 'name', 'opened'] as const
export type ProjectSort = (typeof PROJECT_SORTS)[number]

export const SORT_ORDERS = ['asc', 'desc'] as const

/** The maximum number of favorites of a person. */
export const FAVOURITES_MAX = 100

/** The maximum number of projects in a bulk action. */
export const BULK_MAX = 100

/** The maximum number of projects in a request for previews. */
export const PREVIEWS_MAX = 50
export const PREVIEW_SHAPES_MAX = 40
/** The frame of a preview, into which the canvas is scaled. */
export const PREVIEW_FRAME = { width: 320, height: 200 }

/** The maximum number of templates of an organization, in addition to those of Atrium. */
export const TEMPLATES_MAX = 100
/** The maximum size of a template. */
export const TEMPLATE_BLOCKS_MAX = 2000
export const TEMPLATE_BYTES_MAX = 4_194_304

/** The maximum number of views of a person, and of shared views of an organization. */
export const VIEWS_MAX = 50
