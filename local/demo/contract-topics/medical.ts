import type { ContractTopic } from "./topic.ts";

const hospitals = ["VA", "IHS", "state DOH", "state BHA", "NAVY", "USAF", "BOP"];

/** Supplies, transport, dentists, linen. */
export const medicalTopics: readonly ContractTopic[] = [
  {
    key: "medical-supplies",
    naics: "423450",
    categories: ["Medical", "Equipment and Supplies"],
    value: [15_000, 5_000_000],
    buyers: hospitals,
    delivery: "supplies",
    works: [
      "medical and surgical supplies",
      "protective gloves and gowns",
      "wound care and infusion supplies",
      "first aid and hygiene supplies",
    ],
    needs: [
      "Stock on hand covers less than sixty days of use.",
      "Use rises in the cold and flu season, and deliveries have been late.",
    ],
    tasks: [
      "deliver items in original packaging",
      "replace damaged goods within five days",
      "keep a reserve for emergencies",
      "provide lot numbers and expiration dates",
      "remove packaging",
    ],
    requirements: [
      "Items must be cleared for sale by federal regulators.",
      "Gray-market and refurbished goods will not be accepted.",
      "Brand name or equal products will be considered.",
    ],
  },
  {
    key: "ambulance",
    naics: "621910",
    categories: ["Medical", "Transportation"],
    value: [80_000, 6_000_000],
    buyers: ["VA", "IHS", "BOP", "state DOH", "state BHA"],
    delivery: "service",
    works: ["ambulance and patient transport services", "ambulance services", "medical transport services"],
    needs: [
      "Patients travel between the facility and hospitals up to 150 miles away.",
      "The facility makes about {count} patient trips a month.",
    ],
    tasks: [
      "provide basic and advanced life support crews",
      "answer scheduled calls on time",
      "carry patients in wheelchairs and on stretchers",
      "clean vehicles after each trip",
      "keep trip records",
      "maintain dispatch day and night",
    ],
    requirements: [
      "Crews must hold current state licenses.",
      "Vehicles may not be more than seven years old.",
      "Arrival must be within thirty minutes of a priority call.",
    ],
  },
  {
    key: "dental",
    naics: "621210",
    categories: ["Medical", "Professional Services"],
    value: [60_000, 2_000_000],
    buyers: ["IHS", "BOP", "VA", "state DOH"],
    delivery: "service",
    works: ["dentist services", "general dentistry services", "dental clinic staffing"],
    needs: [
      "The dental clinic has had a vacant post for more than a year.",
      "Patients wait several weeks for routine dental care.",
    ],
    tasks: [
      "examine patients and take X-rays",
      "fill and extract teeth",
      "make dentures and crowns",
      "treat dental emergencies",
      "record care in the electronic chart",
      "teach patients how to prevent decay",
    ],
    requirements: [
      "Providers must hold an unrestricted license from any state.",
      "Proof of malpractice insurance is required.",
      "Providers must be certified in basic life support.",
    ],
  },
  {
    key: "laundry",
    naics: "812332",
    categories: ["Facilities Maintenance", "Medical"],
    value: [20_000, 1_200_000],
    buyers: [...hospitals, "ETA", "NPS"],
    delivery: "service",
    works: ["laundry and linen services", "uniform rental and cleaning", "hospital linen processing"],
    needs: ["The facility uses about {count} pounds of linen a day.", "Its own washing machines are beyond repair."],
    tasks: [
      "collect soiled linen each weekday",
      "wash and iron and fold",
      "deliver clean linen in covered carts",
      "mend or replace torn items",
      "keep soiled and clean items apart",
      "count and report losses",
    ],
    requirements: [
      "Linen must be processed to hospital hygiene standards.",
      "Turnaround may not exceed 48 hours.",
      "A backup plant must be named in the offer.",
    ],
  },
  {
    key: "medical-equipment",
    naics: "423450",
    categories: ["Medical", "Equipment and Supplies"],
    value: [25_000, 4_000_000],
    buyers: hospitals,
    delivery: "supplies",
    works: [
      "hospital beds and patient lifts",
      "wheelchairs and mobility equipment",
      "patient monitors",
      "exam tables and treatment chairs",
    ],
    needs: [
      "Equipment now in use is no longer supported by its maker.",
      "A new wing will open this year and must be furnished.",
    ],
    tasks: [
      "deliver and unpack the equipment",
      "assemble and test each unit",
      "train nurses and technicians",
      "supply manuals and spare parts",
      "repair or replace failed units within five days",
      "remove packaging and old equipment",
    ],
    requirements: [
      "Items must be cleared for sale by federal regulators.",
      "Refurbished equipment will not be accepted.",
      "A two-year warranty is required.",
    ],
  },
];
