// The ragdoll of `bonebox export --to ragdoll` in Unreal: fills an empty physics asset of an imported glTF. For a module of the editor
// that depends on Json and PhysicsUtilities.
//
// Written after the headers of Unreal 5.4. Its syntax is checked against a stub of the engine by `cargo xtask engines ragdoll`; it was
// not run in Unreal.

#include "CoreMinimal.h"
#include "Dom/JsonObject.h"
#include "Misc/FileHelper.h"
#include "PhysicsAssetUtils.h"
#include "PhysicsEngine/PhysicsAsset.h"
#include "PhysicsEngine/PhysicsConstraintTemplate.h"
#include "PhysicsEngine/SkeletalBodySetup.h"
#include "Serialization/JsonReader.h"
#include "Serialization/JsonSerializer.h"

namespace
{
double Number(const TArray<TSharedPtr<FJsonValue>>& Values, int32 Index)
{
	return Values[Index]->AsNumber();
}

// Unreal's importer exchanges y and z, which mirrors, and makes centimeters of meters.
FVector Point(const TArray<TSharedPtr<FJsonValue>>& V, int32 At = 0)
{
	return FVector(Number(V, At), Number(V, At + 2), Number(V, At + 1)) * 100.0;
}

FQuat Turn(const TArray<TSharedPtr<FJsonValue>>& Q)
{
	return FQuat(-Number(Q, 0), -Number(Q, 2), -Number(Q, 1), Number(Q, 3));
}

void AddShape(FKAggregateGeom& Geometry, const FJsonObject& Shape)
{
	const FString Kind = Shape.GetStringField(TEXT("shape"));
	const FVector Center = Point(Shape.GetArrayField(TEXT("center")));
	const FQuat Rotation = Turn(Shape.GetArrayField(TEXT("rotation")));
	if (Kind == TEXT("sphere"))
	{
		FKSphereElem Sphere(100.0f * static_cast<float>(Shape.GetNumberField(TEXT("radius"))));
		Sphere.Center = Center;
		Geometry.SphereElems.Add(Sphere);
	}
	else if (Kind == TEXT("capsule"))
	{
		// Along y in the file, which is z here.
		FKSphylElem Capsule(100.0f * static_cast<float>(Shape.GetNumberField(TEXT("radius"))),
			200.0f * static_cast<float>(Shape.GetNumberField(TEXT("half_length"))));
		Capsule.Center = Center;
		Capsule.Rotation = Rotation.Rotator();
		Geometry.SphylElems.Add(Capsule);
	}
	else if (Kind == TEXT("hull"))
	{
		FKConvexElem Hull;
		const TArray<TSharedPtr<FJsonValue>>& Vertices = Shape.GetArrayField(TEXT("vertices"));
		for (int32 At = 0; At + 2 < Vertices.Num(); At += 3)
		{
			Hull.VertexData.Add(Rotation.RotateVector(Point(Vertices, At)) + Center);
		}
		Hull.UpdateElemBox();
		Geometry.ConvexElems.Add(Hull);
	}
	else
	{
		const FVector Half = Point(Shape.GetArrayField(TEXT("half_extents")));
		FKBoxElem Box(static_cast<float>(2.0 * Half.X), static_cast<float>(2.0 * Half.Y), static_cast<float>(2.0 * Half.Z));
		Box.Center = Center;
		Box.Rotation = Rotation.Rotator();
		Geometry.BoxElems.Add(Box);
	}
}

void AddConstraint(UPhysicsAsset* Asset, FName Bone, FName Parent, const FJsonObject& Held)
{
	const int32 Index = FPhysicsAssetUtils::CreateNewConstraint(Asset, Bone);
	UPhysicsConstraintTemplate* Template = Asset->ConstraintSetup[Index];
	FConstraintInstance& Instance = Template->DefaultInstance;
	Instance.ConstraintBone1 = Bone;
	Instance.ConstraintBone2 = Parent;
	Instance.SetRefFrame(EConstraintFrame::Frame1, FTransform(Turn(Held.GetArrayField(TEXT("body_from_frame")))));
	Instance.SetRefFrame(EConstraintFrame::Frame2,
		FTransform(Turn(Held.GetArrayField(TEXT("parent_from_frame"))), Point(Held.GetArrayField(TEXT("anchor")))));
	const auto Degrees = [&Held](const TCHAR* Key) { return static_cast<float>(FMath::RadiansToDegrees(Held.GetNumberField(Key))); };
	const EAngularConstraintMotion Swing = Held.GetStringField(TEXT("kind")) == TEXT("hinge") ? ACM_Locked : ACM_Limited;
	Instance.SetAngularTwistLimit(ACM_Limited, Degrees(TEXT("twist")));
	// Swing 1 turns about z, which is y in the file; swing 2 turns about y.
	Instance.SetAngularSwing1Limit(Swing, Degrees(TEXT("swing_y")));
	Instance.SetAngularSwing2Limit(Swing, Degrees(TEXT("swing_z")));
	Template->SetDefaultProfile(Instance);
}
} // namespace

/** Returns false if the file cannot be read. */
bool FillWithBonebox(UPhysicsAsset* Asset, const FString& File)
{
	FString Text;
	TSharedPtr<FJsonObject> Figure;
	if (!FFileHelper::LoadFileToString(Text, *File) || !FJsonSerializer::Deserialize(TJsonReaderFactory<>::Create(Text), Figure))
	{
		return false;
	}
	TArray<FName> Bones;
	TArray<int32> Indices;
	for (const TSharedPtr<FJsonValue>& Value : Figure->GetArrayField(TEXT("bodies")))
	{
		const FJsonObject& Body = *Value->AsObject();
		const FName Bone(*Body.GetStringField(TEXT("joint")));
		const int32 Index = FPhysicsAssetUtils::CreateNewBody(Asset, Bone, FPhysAssetCreateParams());
		Bones.Add(Bone);
		Indices.Add(Index);
		USkeletalBodySetup* Setup = Asset->SkeletalBodySetups[Index];
		Setup->AggGeom.EmptyElements();
		for (const TSharedPtr<FJsonValue>& Shape : Body.GetArrayField(TEXT("shapes")))
		{
			AddShape(Setup->AggGeom, *Shape->AsObject());
		}
		Setup->DefaultInstance.SetMassOverride(static_cast<float>(Body.GetNumberField(TEXT("mass"))), true);
		const int32 Parent = static_cast<int32>(Body.GetNumberField(TEXT("parent")));
		if (Parent >= 0)
		{
			AddConstraint(Asset, Bone, Bones[Parent], *Body.GetObjectField(TEXT("constraint")));
		}
	}
	for (const TSharedPtr<FJsonValue>& Pair : Figure->GetArrayField(TEXT("no_collision")))
	{
		const auto Index = [&](const TCHAR* Key) { return Indices[static_cast<int32>(Pair->AsObject()->GetNumberField(Key))]; };
		Asset->DisableCollision(Index(TEXT("first")), Index(TEXT("second")));
	}
	Asset->UpdateBodySetupIndexMap();
	Asset->UpdateBoundsBodiesArray();
	return true;
}
