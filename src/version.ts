/** Kept equal to package.json by a test. */
export const SERVICE_VERSION = '0.1.0'
export const SERVICE_NAME = 'tangent'
