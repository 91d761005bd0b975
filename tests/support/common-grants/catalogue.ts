import * as z from "zod";

const text = z.string().min(1);

/** Fields of the protocol's catalogue, by name: website/src/specs/custom-fields of HHS/simpler-grants-protocol, commit b874691. */
export const catalogue: Readonly<Record<string, { fieldType: string; value: z.ZodType }>> = {
  legacySerialId: { fieldType: "integer", value: z.int() },
  federalOpportunityNumber: { fieldType: "string", value: text },
  assistanceListings: {
    fieldType: "array",
    value: z.array(z.strictObject({ identifier: text.optional(), programTitle: text.optional() })),
  },
  agency: {
    fieldType: "object",
    value: z.strictObject({
      code: text.optional(),
      name: text.optional(),
      parentCode: text.optional(),
      parentName: text.optional(),
    }),
  },
  attachments: {
    fieldType: "array",
    value: z.array(
      z.strictObject({
        downloadUrl: z.url(),
        name: text,
        description: text.optional(),
        sizeInBytes: z.number().optional(),
        mimeType: text.optional(),
        createdAt: z.iso.datetime({ offset: true }),
        lastModifiedAt: z.iso.datetime({ offset: true }),
      }),
    ),
  },
  costSharing: {
    fieldType: "object",
    value: z.strictObject({
      isRequired: z.boolean().optional(),
      percentage: z.number().optional(),
      details: text.optional(),
    }),
  },
  contactInfo: {
    fieldType: "object",
    value: z.strictObject({
      name: text.optional(),
      email: text.optional(),
      phone: text.optional(),
      description: text.optional(),
    }),
  },
  eligibilityCriteria: {
    fieldType: "object",
    value: z.strictObject({
      beneficiaryTypes: z.array(z.strictObject({ code: text.optional(), name: text.optional() })).optional(),
      details: text.optional(),
    }),
  },
  federalFundingInstruments: { fieldType: "array", value: z.array(text) },
};
