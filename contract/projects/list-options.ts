/** Plain data without schemas, for the server, the dashboard and the CLI. */

export const PROJECT_SORTS = ['created', 'updated', 'name', 'opened'] as const
export type ProjectSort = (typeof PROJECT_SORTS)[number]

export const SORT_ORDERS = ['asc', 'desc'] as const

/** Per user. */
export const FAVOURITES_MAX = 100

export const BULK_MAX = 100

export const PREVIEWS_MAX = 50
export const PREVIEW_SHAPES_MAX = 40
/** The canvas is scaled into this frame. */
export const PREVIEW_FRAME = { width: 320, height: 200 }

/** Per organization, in addition to Atrium's own. */
export const TEMPLATES_MAX = 100
export const TEMPLATE_BLOCKS_MAX = 2000
export const TEMPLATE_BYTES_MAX = 4_194_304

/** Per user, and shared views per organization. */
export const VIEWS_MAX = 50
