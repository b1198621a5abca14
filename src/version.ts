/** Kept equal to package.json by a test. */
export const SERVICE_VERSION = '0.2.0'
export const SERVICE_NAME = 'tangent'
