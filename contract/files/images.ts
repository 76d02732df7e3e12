import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Id, queryFlag, queryInteger } from '../fields.ts'

/** The longer side, in pixels. The largest is what models receive. */
export const IMAGE_SIDES = [320, 640, 1568] as const
/** Per call. */
export const IMAGE_PAGES_MAX = 20

const IMAGE_TYPES = ['image/png', 'image/jpeg'] as const

const PAGES_RULE = 'must be pages such as 3 or 3-7'

const pages = z
  .string()
  .regex(/^[1-9]\d{0,4}(-[1-9]\d{0,4})?$/, PAGES_RULE)
  .refine((value) => {
    const [from, to = from] = value.split('-').map(Number)
    return from! <= to!
  }, PAGES_RULE)

const FileImage = z.object({
  mimeType: z.enum(IMAGE_TYPES),
  width: z.int(),
  height: z.int(),
  data: z.string().optional().describe('With `data=true`: the bytes, in base64'),
})

export const FileImages = z.object({
  fileId: Id.describe('The file whose content this is: a link’s target'),
  version: z.int().describe('File version'),
  mimeType: z.string(),
  pageCount: z.int().nullable().describe('Null unless the file is a PDF'),
  parts: z
    .array(
      z.object({
        page: z.int().nullable(),
        text: z.string().nullable().describe('Null if the page has none: see `image`'),
        image: FileImage.nullable(),
      }),
    )
    .describe('One for an image; one per page of a PDF'),
})

const params = z.object({ id: Id })
const version = z.coerce
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(2_147_483_647, 'must be at most 2,147,483,647')
  .optional()
  .describe('File version; the current one if absent')

export const fileImages = {
  thumbnail: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/thumbnail',
    summary: 'Get a file as a small image',
    description:
      'A PNG or JPEG without metadata whose longer side has at most `size` pixels, of an image or a PDF’s page. It is made once and stored. With `version`, browsers can cache it for good. Returns BAD_REQUEST if the file isn’t an image or a PDF, can’t be read, is larger than 50 MB or has more than 64 megapixels.',
    access: member({ scope: 'files:read' }),
    params,
    query: z.object({
      version,
      page: queryInteger(1, 99_999, 1).describe('For a PDF'),
      size: z
        .enum(IMAGE_SIDES.map(String) as ['320', '640', '1568'])
        .default('320')
        .describe('Longer side, in pixels'),
    }),
    output: z.null(),
    bytes: 'always',
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/images',
    summary: 'Get a file as models see it',
    description: `An image, scaled to at most 1,568 pixels, or pages of a PDF: a page’s text, or its image if it has none. At most ${IMAGE_PAGES_MAX} pages per call.`,
    access: member({ scope: 'files:read' }),
    params,
    query: z.object({
      version,
      pages: pages.optional().describe(`For a PDF, such as 3-7; the first ${IMAGE_PAGES_MAX} if absent`),
      data: queryFlag().describe('Includes the images’ bytes'),
    }),
    output: FileImages,
    envelope: true,
  }),
}
