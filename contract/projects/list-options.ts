/** How projects can be listed. Plain data without schemas: the server validates by it, and the dashboard and the CLI show it. */

export const PROJECT_SORTS = ['created', 'updated', 'name', 'opened'] as const
export type ProjectSort = (typeof PROJECT_SORTS)[number]

export const SORT_ORDERS = ['asc', 'desc'] as const

/** Favourites of one person. */
export const FAVOURITES_MAX = 100

/** Projects of one bulk action. */
export const BULK_MAX = 100

/** Projects of one request for previews. */
export const PREVIEWS_MAX = 50
export const PREVIEW_SHAPES_MAX = 40
/** The frame of a preview, into which the canvas is scaled. */
export const PREVIEW_FRAME = { width: 320, height: 200 }

/** The maximum number of templates of an organization, in addition to those of Atrium. */
export const TEMPLATES_MAX = 100
/** The size of one template. */
export const TEMPLATE_BLOCKS_MAX = 2000
export const TEMPLATE_BYTES_MAX = 4_194_304

/** Saved views: of one person, and shared ones of one organization. */
export const VIEWS_MAX = 50
